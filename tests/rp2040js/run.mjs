// SPDX-License-Identifier: MIT
// Runs a firmware in rp2040js, an emulator of the RP2040 with one core. Its SRAM is mirrored in a file for the model of a
// target: a debugger's writes to the file reach the firmware.
//
//	node run.mjs OUTPUT START STOP UNTIL FIRMWARE.elf COMMAND [ARGUMENT]...
//
// Waits until the console, which goes to OUTPUT.console, prints the line UNTIL, then runs COMMAND while the firmware runs.
// OUTPUT.ram is the SRAM. OUTPUT.counts gets a line "ADDRESS CYCLES" for each instruction executed between the hexadecimal
// addresses START and STOP: an interrupt in these cycles returns to it. The exit status is COMMAND's, or 125 if the line did
// not come.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { Simulator } from "rp2040js";

const [path, start, stop, until, firmware, ...command] = process.argv.slice(2);
const SRAM = 0x20000000;
const CYCLE_NANOSECONDS = 1e9 / 12e6; // the board runs at the crystal's clock
const STEPS = 20000; // instructions between two syncs with the file
const LIMIT = 60; // seconds by the emulator's clock, so that a slow computer reaches the line, too

const simulator = new Simulator();
const chip = simulator.rp2040;
chip.logger = { debug() {}, info() {}, warn() {}, error: (name, text) => console.error(`${name}: ${text}`) };

// Loadable segments (System V ABI, "Program header"); the firmware starts at its entry, as after a load by a debugger.
function load(elf) {
	const entry = elf.readUInt32LE(24), first = elf.readUInt32LE(28), count = elf.readUInt16LE(44);
	for (let header = first; header < first + 32 * count; header += 32) {
		const offset = elf.readUInt32LE(header + 4), address = elf.readUInt32LE(header + 12), size = elf.readUInt32LE(header + 16);
		if (elf.readUInt32LE(header) === 1 && size > 0)
			chip.sram.set(elf.subarray(offset, offset + size), address - SRAM);
	}
	chip.core.SP = chip.readUint32(SRAM);
	chip.core.PC = entry & ~1;
}

load(fs.readFileSync(firmware));
fs.writeFileSync(`${path}.ram`, chip.sram);
const ram = fs.openSync(`${path}.ram`, "r+");
const kept = Buffer.from(chip.sram), found = Buffer.alloc(chip.sram.length);

// Copies what others wrote to the file since the last call to SRAM, then SRAM to the file.
function exchange() {
	fs.readSync(ram, found, 0, found.length, 0);
	if (!found.equals(kept))
		for (let i = 0; i < found.length; i++)
			if (found[i] !== kept[i]) chip.sram[i] = found[i];
	kept.set(chip.sram);
	fs.writeSync(ram, kept, 0, kept.length, 0);
}

let line = "", child = null;
const output = fs.openSync(`${path}.console`, "w");
chip.uart[0].onByte = (byte) => {
	fs.writeSync(output, Buffer.of(byte));
	line = byte === 10 ? "" : line + String.fromCharCode(byte);
	if (line.trimEnd() === until && child === null) {
		exchange();
		child = spawn(command[0], command.slice(1), { stdio: "inherit" });
		child.on("error", (error) => { console.error(`run.mjs: ${error.message}`); process.exit(125); });
		child.on("exit", (code) => process.exit(code ?? 125));
	}
};

// Interrupts are taken between two instructions: an instruction's cycles belong to the next one.
const cyclesOf = new Float64Array(chip.sram.length / 2);
const startAddress = parseInt(start, 16) & ~1, stopAddress = parseInt(stop, 16) & ~1;
let isCounting = false;

function count(address, cycles) {
	if (address === stopAddress && isCounting) {
		const lines = [...cyclesOf.entries()].filter(([, cycles]) => cycles > 0);
		fs.writeFileSync(`${path}.counts`, lines.map(([at, cycles]) => `${(SRAM + 2 * at).toString(16)} ${cycles}\n`).join(""));
	}
	isCounting = address === startAddress || (isCounting && address !== stopAddress);
	if (isCounting) cyclesOf[(address - SRAM) / 2] += cycles;
}

function step() {
	const { core } = chip, { clock } = simulator;
	if (core.waiting) {
		clock.tick(Math.max(clock.nanosToNextAlarm, CYCLE_NANOSECONDS));
		return;
	}
	const cycles = core.executeInstruction();
	count(core.PC, cycles);
	clock.tick(cycles * CYCLE_NANOSECONDS);
}

function run() {
	for (let i = 0; i < STEPS; i++) step();
	exchange();
	if (child === null && simulator.clock.nanos > LIMIT * 1e9) {
		console.error(`run.mjs: no line '${until}' in ${LIMIT} s of the emulator's clock`);
		process.exit(125);
	}
	setImmediate(run);
}
run();
