# SPDX-License-Identifier: MIT
# save.py SOCKET FILE ADDRESS SIZE [COMMAND]: QEMU executes COMMAND (QEMU, "QMP Reference Manual"), by default stop, and saves
# memory to FILE. Prints the command's result, if any.
import json
import socket
import sys

path, file, address, size = sys.argv[1], sys.argv[2], int(sys.argv[3], 0), int(sys.argv[4], 0)
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
stream = connection.makefile("rw")
stream.readline()


def execute(command, **arguments):
    stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
    stream.flush()
    while True:
        answer = json.loads(stream.readline())
        assert "error" not in answer, answer
        if "return" in answer:
            return answer["return"]


execute("qmp_capabilities")
returned = execute(sys.argv[5] if len(sys.argv) > 5 else "stop")
if returned:
    print(json.dumps(returned))
execute("pmemsave", val=address, size=size, filename=file)
