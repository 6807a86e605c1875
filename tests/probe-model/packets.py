# SPDX-License-Identifier: MIT
# packets.py CASE: answers of a probe to packets, by pyusb; all bytes are written from Arm's "CMSIS-DAP", 2.1. In the cases
# with a fault, every second answer of the probe has it.
import sys

import usb.core

device = usb.core.find(idVendor=0xCAFE, idProduct=0x4011)
is_hid = device[0][(0, 0)].bInterfaceClass == 3
to_probe, to_host = (0x01, 0x81) if is_hid else (0x04, 0x85)
OK = "05 01 01 77 14 a0 2b"  # the answer to a read of DPIDR, 0x2ba01477


def send(request):
    device.write(to_probe, bytes.fromhex(request), timeout=20000)


# The time-out is in milliseconds. The default only passes if no answer comes.
def receive(timeout=20000):
    return bytes(device.read(to_host, 1024, timeout=timeout)).hex(" ")


def expect(answer):
    received = receive()
    assert received == answer, "%s instead of %s" % (received, answer)


def ask(request, answer):
    send(request)
    expect(answer)


def expect_error(action, *words):
    try:
        action()
    except usb.core.USBError as error:
        assert any(word in str(error) for word in words), str(error)
        return
    raise AssertionError("there was no error")


def connect():
    ask("02 01", "02 01")
    ask("12 88 ff ff ff ff ff ff ff 9e e7 ff ff ff ff ff ff ff 00", "12 00")


def sizes():
    ask("00 fe", "00 01 04")
    ask("00 ff", "00 02 40 00")
    ask("00 f0", "00 01 13")
    ask("00 04", "00 06 32 2e 31 2e 30 00")
    ask("00 05", "00 00")


def unknown():
    ask("80 01 02", "ff")
    ask("02 03", "02 00")
    ask("11 00 00 00 00", "11 ff")


def jtag():
    ask("02 02", "02 02")
    # Test-Logic-Reset, then to Shift-DR; 31 bits of the identity, and the last.
    ask("14 06 45 ff 01 00 41 00 02 00 9f 00 00 00 00 c1 00", "14 00 77 04 a0 4b 00")
    # Run-Test/Idle; sequences without capture return nothing.
    ask("14 02 41 00 01 00", "14 00")
    ask("15 01 04", "15 00")


def transfers():
    connect()
    ask("05 00 01 02", OK)
    # Power up, and wait until CTRL/STAT under the mask has the value.
    ask("04 00 64 00 64 00", "04 00")
    ask("05 00 03 08 00 00 00 00 04 00 00 00 50 20 00 00 00 f0", "05 03 01")
    ask("05 00 01 16 00 00 00 f0", "05 01 01")
    ask("05 00 01 16 00 00 00 e0", "05 00 11")
    # Set the size and address of accesses to memory; then write and read, by single transfers and as blocks.
    ask("05 00 02 01 12 00 00 23 05 00 00 00 20", "05 02 01")
    ask("06 00 02 00 0d 11 22 33 44 55 66 77 88", "06 02 00 01")
    ask("05 00 04 05 00 00 00 20 0f 0f 06", "05 04 01 11 22 33 44 55 66 77 88 40 00 00 f0")
    ask("05 00 01 05 00 00 00 20", "05 01 01")
    ask("06 00 02 00 0f", "06 02 00 01 11 22 33 44 55 66 77 88")


def sequences():
    connect()
    # The request to read DPIDR, then 38 clocks: turnaround, in which the line is high; acknowledge; data; parity;
    # turnaround.
    ask("1d 02 08 a5 a6", "1d 00 73 47 01 ba 22")


def unconnected():
    ask("05 00 01 02", "05 00 00")
    ask("06 00 01 00 0f", "06 00 00 00")


def queued():
    connect()
    send("7e 01 05 00 01 02")
    expect_error(lambda: receive(300), "timed out")
    send("05 00 01 02")
    expect("7f 01 " + OK)
    expect(OK)
    ask("7f 02 00 fe 05 00 01 02", "7f 02 00 01 04 " + OK)


def abort():
    connect()
    send("05 00 01 02")
    send("07")
    expect("05 00 00")
    ask("05 00 01 02", OK)


def four_in_flight():
    for _ in range(4):
        send("00 fe")
    expect_error(lambda: send("00 fe"), "timed out")
    for _ in range(4):
        expect("00 01 04")


def too_much():
    connect()
    send("06 00 11 00 02")
    assert len(receive().split()) == 64


def reports():
    ask("00 fe" + " 00" * 62, "00 01 04" + " 00" * 61)
    ask("80" + " 00" * 63, "ff" + " 00" * 63)


def lose():
    ask("02 01", "02 01")
    send("02 01")
    expect_error(lambda: receive(300), "timed out")
    ask("02 01", "02 01")


def shorten():
    ask("00 fe", "00 01 04")
    ask("00 ff", "00 02")


def lie():
    ask("00 fe", "00 01 04")
    ask("00 ff", "00 ff ff 00")


def mistake():
    ask("00 fe", "00 01 04")
    ask("00 fe", "01 01 04")


def stall():
    ask("00 fe", "00 01 04")
    send("00 ff")
    expect_error(receive, "Pipe error")
    expect_error(receive, "Pipe error")
    device.clear_halt(to_host)
    expect("00 02 40 00")


def flood():
    ask("00 fe", "00 01 04")
    ask("00 ff", "00 02 40 00")
    for _ in range(3):
        expect(" ".join(["ff"] * 64))


def unplug():
    ask("00 fe", "00 01 04")
    ask("00 ff", "00 02 40 00")
    expect_error(lambda: send("00 ff"), "No such device")


def slow():
    send("00 fe")
    expect_error(lambda: receive(300), "timed out")
    expect("00 01 04")


def lengthen():
    ask("00 fe", "00 01 04")
    ask("00 fe", "00 01 04 " + " ".join(["ff"] * 64))
    ask("00 fe", "00 01 04")


# pyusb returns no bytes for an empty packet.
def empty():
    connect()
    send("06 00 0f 00 02")
    assert len(device.read(to_host, 64, timeout=20000)) == 64
    expect("")
    ask("00 fe", "00 01 04")


def stale():
    send("00 fe")
    for _ in range(2):
        expect("00 04 39 2e 39 00")
    expect("00 01 04")


globals()[sys.argv[1]]()
