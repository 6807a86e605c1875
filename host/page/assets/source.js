/* SPDX-License-Identifier: MIT */
/* The source of a function, each line with its times and, on demand, its instructions. */

/* format: time(value) and percent(value); value is in seconds or samples. */
function makeSource(format) {
	const place = find("source");
	const table = place.querySelector("table");
	const codes = new Map((data.code ?? []).map((code) => [code.function, code]));
	const noInstructions = data.no_instructions ? `No instructions: ${data.no_instructions}` : "";
	const totals = data.is_measured ? [`total ${format.unit}`, "\u00b1"] : [];
	const titles = ["self %", `self ${format.unit}`, "\u00b1", ...totals, `inlined ${format.unit}`, "calls", "line", "source"];

	const cell = (text, properties) => element("td", properties ?? {}, text);
	const timeCell = (time) => cell(time > 0 ? format.time(time) : "");

	function lineRow([number, text, self = 0, error = 0, inlined = 0, calls = 0, total = 0, totalError = 0, isLowerBound = false], max) {
		const totalCells = [cell(total > 0 ? `${isLowerBound ? "\u2265 " : ""}${format.time(total)}` : ""), timeCell(total > 0 && !isLowerBound ? totalError : 0)];
		const row = element("tr", { className: self === 0 ? "" : self === max ? "hot hottest" : "hot" },
			cell(self > 0 ? format.percent(self) : ""), timeCell(self), timeCell(error), ...(data.is_measured ? totalCells : []), timeCell(inlined),
			cell(calls > 0 ? grouped(calls) : ""), cell(number > 0 ? String(number) : ""),
			element("td", { className: "code" }, text ?? ""));
		row.style.setProperty("--share", `${max > 0 ? (100 * self) / max : 0}%`);
		return row;
	}

	/* Samples are counted by range, so the time of a range is shown at its first instruction. */
	function instructionRow([address, text, , , time, error]) {
		const mark = time < 0 ? "\u2502 " : "";
		return element("tr", { className: `instruction${time === 0 ? " noise" : ""}` },
			cell(time > 0 ? format.percent(time) : mark), timeCell(time), timeCell(error), ...totals.map(() => cell("")), cell(""), cell(""), cell(""),
			element("td", { className: "code" }, `${address}  ${text}`));
	}

	function fileRows(code, file, max) {
		const own = new Map(file.lines.map(([number]) => [number, []]));
		for (const instruction of code.instructions)
			if (instruction[2] === file.name)
				own.get(instruction[3])?.push(instruction);
		const areShown = find("instructions").checked;
		const title = file.is_found || file.name === "" ? file.name : `${file.name} (not found)`;
		const rows = [element("tr", {}, element("th", { scope: "colgroup", colSpan: titles.length }, title || "no source line"))];
		let next = file.lines[0]?.[0];
		for (const line of file.lines) {
			if (line[0] !== next)
				rows.push(element("tr", {}, element("td", { colSpan: titles.length - 1 }), element("td", { className: "code" }, "\u2026")));
			rows.push(lineRow(line, max), ...(areShown ? own.get(line[0]) : []).map(instructionRow));
			next = line[0] + 1;
		}
		return rows;
	}

	/* The file, number and time of the line with the most time; the time is 0 if no line has any. */
	function hottestOf(code) {
		const lines = code.files.flatMap((file) => file.lines.map(([number, , time = 0]) => ({ file: file.name, number, time })));
		return lines.reduce((best, line) => (line.time > best.time ? line : best), { file: "", number: 0, time: 0 });
	}

	function showHottest({ file, number, time }) {
		const button = find("hottest");
		button.hidden = time === 0 || number === 0;
		button.textContent = `Hottest line: ${file.replace(/^.*\//u, "")}:${number}, ${format.percent(time)} %`;
	}

	/* isPart: the rest of the page shows a part of the profile. */
	let shown = null;
	function show(row, isPart) {
		shown = [row, isPart];
		const code = codes.get(row.id);
		place.hidden = code === undefined;
		find("hottest").hidden = true;
		if (code === undefined)
			return;
		find("source-note").textContent = [isPart ? "Times of everything, not only of the part shown. " : "", noInstructions].join("");
		/* The mark of a line is as wide as its share of the hottest line's time. */
		const hottest = hottestOf(code);
		if (!isPart)
			showHottest(hottest);
		table.tBodies[0].replaceChildren(...code.files.flatMap((file) => fileRows(code, file, hottest.time)));
	}

	find("hottest").addEventListener("click", () => table.querySelector(".hottest").scrollIntoView({ block: "center" }));
	table.tHead.replaceChildren(element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));
	find("instructions").addEventListener("change", () => show(...shown));
	find("instructions-label").hidden = Boolean(data.no_instructions);
	return { show };
}
