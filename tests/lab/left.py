# SPDX-License-Identifier: MIT
# left.py SOCKET [RAM CAPTURE ADDRESS SIZE]: QEMU's machine runs (QEMU, "QMP Reference Manual"), and CAPTURE holds the
# SIZE bytes that its memory has at ADDRESS. RAM is the file of all its memory, from 0x21000000 on.
import json
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
stream = connection.makefile("rw")
stream.readline()


def execute(command):
    stream.write(json.dumps({"execute": command}) + "\n")
    stream.flush()
    while True:
        answer = json.loads(stream.readline())
        assert "error" not in answer, answer
        if "return" in answer:
            return answer["return"]


execute("qmp_capabilities")
assert execute("query-status")["status"] == "running", "the target was left halted"
if len(sys.argv) > 2:
    ram, capture, address, size = *sys.argv[2:4], int(sys.argv[4], 0), int(sys.argv[5], 0)
    with open(ram, "rb") as file:
        file.seek(address - 0x21000000)
        memory = file.read(size)
    with open(capture, "rb") as file:
        assert memory in file.read(), "the capture holds other bytes than the memory"
