# SPDX-License-Identifier: MIT
# packets-jlink.py CASE: a J-Link's answers to commands, sent with pyusb. All bytes follow SEGGER's RM08001-R7, "J-Link USB Protocol",
# chapter 5, except for the registration, which is as libjaylink and probe-rs expect it. In the cases with a fault, every
# second answer of the probe has it.
import sys

import usb.core

device = usb.core.find(idVendor=0x1366)
interface = next(one for one in device[0] if one.bInterfaceClass == 0xFF)
to_host, to_probe = sorted((one.bEndpointAddress for one in interface), reverse=True)
HARDWARE = "10 27 00 00"  # 10000, version 1.00
JTAG_TO_SWD = "ff ff ff ff ff ff ff 9e e7 ff ff ff ff ff ff ff 00"


def send(command):
    device.write(to_probe, bytes.fromhex(command), timeout=20000)


# The time-out is in milliseconds. The default only passes if no answer comes.
def receive(timeout=20000):
    return bytes(device.read(to_host, 2048, timeout=timeout)).hex(" ")


def expect(answer):
    received = receive()
    assert received == answer, "%s instead of %s" % (received, answer)


def ask(command, answer):
    send(command)
    expect(answer)


def expect_error(action, *words):
    try:
        action()
    except usb.core.USBError as error:
        assert any(word in str(error) for word in words), str(error)
        return
    raise AssertionError("there was no error")


# A command that moves bits on SWDIO: two bytes for their number, their direction, the bits.
def shift(count, direction, bits, answer):
    ask("cf 00 %s %s %s" % (count.to_bytes(2, "little").hex(), direction, bits), answer + " 00")


def select_swd():
    ask("c7 01", "00 00 00 00")
    shift(136, "ff " * 17, JTAG_TO_SWD, JTAG_TO_SWD)


def reports():
    send("01")
    expect("70 00")
    version = bytes.fromhex(receive())
    assert len(version) == 0x70 and version.rstrip(b"\0") == b"Model 1", version
    ask("e8", "33 0a 02 88")
    ask("ed", "33 0a 02 88" + " 00" * 28)
    ask("f0", HARDWARE)
    ask("d4", "00 20 00 00")
    ask("c0", "00 24 f4 00 04 00")  # 16 MHz, at least divided by 4
    ask("07", "e4 0c 00 00 00 00 01 01")  # 3300 mV; RESET and TRST are high


def interfaces():
    ask("c7 ff", "03 00 00 00")
    ask("c7 fe", "00 00 00 00")
    ask("c7 01", "00 00 00 00")
    ask("c7 00", "01 00 00 00")
    ask("c7 fe", "00 00 00 00")


def pins():
    send("dc")
    ask("07", "e4 0c 00 00 00 00 00 01")
    send("dd")
    send("de")
    ask("07", "e4 0c 00 00 00 00 01 00")
    send("df")
    ask("07", "e4 0c 00 00 00 00 01 01")


def speed():
    send("05 e8 03")
    ask("c7 ff", "03 00 00 00")


def configuration():
    ask("f2", " ".join(["ff"] * 256))
    send("f3" + " 5a" * 256)
    ask("f2", " ".join(["5a"] * 256))


def registration():
    entry = "78 56 34 12 01 02 03 04 05 06"
    one = "01 00 01 00 10 00 00 00 " + entry + " 01 00 00 00 00 00"
    ask("09 64 " + entry + " 00 00", one + " 00" * 52)
    ask("09 65 " + entry + " 01 00", "01 00 00 00 10 00 00 00" + " 00" * 68)


# The request to read DPIDR, then 38 clocks. The probe samples at the falling edge, so the first bit of the acknowledge is
# that of the turnaround: 1 0 0, the lowest first, then 0x2ba01477, even parity, and a line that nothing drives.
def swd():
    select_swd()
    answer = (0xA5 | (0b001 | 0x2BA01477 << 3 | 0b110 << 35) << 8).to_bytes(6, "little").hex(" ")
    shift(46, "ff 00 00 00 00 00", "a5 00 00 00 00 00", answer)


# To Test-Logic-Reset, Run-Test/Idle, Select-DR, Capture-DR and Shift-DR in 9 clocks, then IDCODE, which the reset has selected.
def jtag():
    ask("c7 00", "00 00 00 00")
    send("cf 00 30 00" + " 5f 00 00 00 00 00" + " 00" * 6)
    received = int.from_bytes(bytes.fromhex(receive())[:6], "little")
    assert received >> 9 & 0xFFFFFFFF == 0x4BA00477, hex(received)
    # The older command has no status.
    send("ce 00 08 00 00 00")
    assert len(receive().split()) == 1


def joined():
    send("cf 00 10 00 ff")
    send("ff 00 00")
    assert len(receive().split()) == 3


def too_long():
    ask("cf 00 00 08" + " ff" * 512, " ".join(["00"] * 256) + " 06")


def unknown():
    send("77")
    ask("f0", HARDWARE)


def unregistered():
    send("09 64" + " 00" * 12)
    ask("f0", HARDWARE)


def lose():
    ask("f0", HARDWARE)
    send("f0")
    expect_error(lambda: receive(300), "timed out")
    ask("f0", HARDWARE)


def shorten():
    ask("f0", HARDWARE)
    ask("f0", "10 27")


def lengthen():
    ask("f0", HARDWARE)
    ask("f0", HARDWARE + " ff" * 64)


def lie():
    ask("f0", HARDWARE)
    ask("f0", "ff ff 00 00")


def refuse():
    select_swd()
    ask("cf 00 08 00 ff 00", "00 05")
    shift(8, "ff", "00", "00")


def stall():
    ask("f0", HARDWARE)
    send("f0")
    expect_error(receive, "Pipe error")
    expect_error(receive, "Pipe error")
    device.clear_halt(to_host)
    expect(HARDWARE)


def stall_out():
    ask("f0", HARDWARE)
    expect_error(lambda: send("f0"), "Pipe error")
    device.clear_halt(to_probe)
    ask("f0", HARDWARE)


def flood():
    ask("f0", HARDWARE)
    send("f0")
    for _ in range(3):
        expect(" ".join(["ff"] * 2048))


def mute():
    ask("f0", HARDWARE)
    send("f0")
    expect_error(lambda: receive(300), "timed out")
    expect_error(lambda: send("f0"), "timed out")


def unplug():
    ask("f0", HARDWARE)
    send("f0")
    expect_error(lambda: send("f0"), "No such device")


def slow():
    send("f0")
    expect_error(lambda: receive(300), "timed out")
    expect(HARDWARE)


def stale():
    for size in (2048, 952):
        expect(" ".join(["ff"] * size))
    ask("f0", HARDWARE)


globals()[sys.argv[1]]()
