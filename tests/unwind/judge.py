# SPDX-License-Identifier: MIT
"""
judge.py, run by gdb: halts a firmware at its first ticks, and writes gdb's own backtrace of each. They judge the paths that
bareprof unwinds, since gdb shares no code with it.

Its arguments are in the environment: JUDGE_ELF, JUDGE_OUTPUT, JUDGE_TICKS, and GDB_PORT of the machine, which waits at its
first instruction. A line is `NUMBER PC FUNCTION MNEMONIC RETURN...`: the function and the mnemonic of the code that
was interrupted, and the return addresses in gdb's frames, the innermost first, up to the first that is in no code.
"""
import os

import gdb

DEPTH_MAX = 200
WORD = 0xFFFFFFFF
HANDLER = "board_sampling_interrupt"


def address_of(text):
    return int(gdb.parse_and_eval(text).cast(gdb.lookup_type("unsigned long")))


def name_of(pc):
    """The symbol before an address, as in `<name+offset>`."""
    return gdb.execute(f"info symbol {pc:#x}", to_string=True).split()[0]


def mnemonic_at(architecture, pc):
    """That of the jump, if the instruction is the first of the two of a far jump of RISC-V."""
    first, second = (code["asm"].split()[0] for code in architecture.disassemble(pc, count=2))
    return second if first == "auipc" else first


def unwind(frame):
    """The program counters of frames that are on the stack and in code."""
    counters = []
    while frame is not None and frame.type() != gdb.SIGTRAMP_FRAME and len(counters) < DEPTH_MAX:
        if counters and frame.pc() <= 1:
            break
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            counters.append(frame.pc())
        try:
            frame = frame.older()
        except gdb.error:
            break
    return counters


def unwind_interrupted(is_riscv):
    frame = gdb.newest_frame()
    if not is_riscv:  # gdb knows the exception frames of Arm
        while frame.type() != gdb.SIGTRAMP_FRAME:
            frame = frame.older()
        return unwind(frame.older())
    # No register but the program counter has changed at the handler's first instruction.
    handler = frame.pc()
    gdb.execute("set $pc = $mepc")
    result = unwind(gdb.newest_frame())
    gdb.execute(f"set $pc = {handler:#x}")
    return result


def main():
    for command in ("pagination off", "confirm off", "backtrace past-main on", "backtrace past-entry on"):
        gdb.execute("set " + command)
    gdb.execute("file " + os.environ["JUDGE_ELF"])
    gdb.execute("target remote 127.0.0.1:" + os.environ["GDB_PORT"])
    architecture = gdb.selected_frame().architecture()
    is_riscv = "riscv" in architecture.name()

    # QEMU 7.2 loses traps when gdb steps over a breakpoint, so a second one is where the first one is left.
    first = address_of("&" + HANDLER) & ~1
    second = first + architecture.disassemble(first)[0]["length"]
    breakpoints = [gdb.Breakpoint(f"*{first:#x}"), gdb.Breakpoint(f"*{second:#x}")]
    for breakpoint in breakpoints:
        breakpoint.silent = True
    breakpoints[1].enabled = False
    with open(os.environ["JUDGE_OUTPUT"], "w", encoding="ascii") as output:
        for tick in range(1, int(os.environ["JUDGE_TICKS"]) + 1):
            gdb.execute("continue", to_string=True)
            pc, *returns = unwind_interrupted(is_riscv)
            addresses = [f"{address & WORD:x}" for address in (pc, *returns)]
            print(tick, addresses[0], name_of(pc), mnemonic_at(architecture, pc), *addresses[1:], file=output)
            for breakpoint in breakpoints:
                breakpoint.enabled = not breakpoint.enabled
            gdb.execute("continue", to_string=True)
            for breakpoint in breakpoints:
                breakpoint.enabled = not breakpoint.enabled
    gdb.execute("detach")


main()
