/* SPDX-License-Identifier: MIT */
/*
 * Appended to a page by agreement.sh, after the profiles: reads each of them in `report`, in JSON and on the page, and
 * compares all numbers of functions, arcs and cycles. Numbers may be rounded to the digits that are shown.
 */
"use strict";

{
	const scripts = [...document.scripts].map((script) => script.textContent).find((text) => text.includes("function makeProfile"));

	/* The page with other data: its columns, and its functions. */
	function open(text) {
		find("data").textContent = text;
		return new Function(`${scripts}\nreturn { mode: page.mode, data };`)();
	}

	/* --- Numbers as they are shown. */

	const units = { s: 1, ms: 1e-3, us: 1e-6, "\u00b5s": 1e-6, ns: 1e-9, ps: 1e-12 };

	/* exact: a number; null: nothing is shown. unit: of the column. Returns what is wrong, or "". */
	function compare(what, shown, exact, { unit = 1, isLowerBound = false } = {}) {
		const [, mark, number, own] = /^(>=|\u2265 |\u2260 |)(?:([0-9,.e+-]+)(?: (\S+))?)?$/u.exec(shown.trim()) ?? [null, "?"];
		if (mark === "?")
			return `${what}: "${shown}" is no number`;
		if (exact === null || number === undefined)
			return exact === null && number === undefined ? "" : `${what}: "${shown}" instead of ${exact}`;
		const digits = number.replaceAll(",", "");
		const scale = own === undefined ? unit : units[own];
		const [mantissa, exponent] = digits.split("e");
		const step = scale * 10 ** (Number(exponent ?? 0) - (mantissa.split(".")[1] ?? "").length);
		const isBound = mark === ">=" || mark === "\u2265 ";
		if (isBound !== isLowerBound)
			return `${what}: "${shown}" is ${isBound ? "" : "not "}marked as a lower bound`;
		return Math.abs(Number(digits) * scale - exact) <= step * 0.500001 + 1e-8 * Math.abs(exact) ? "" : `${what}: "${shown}" instead of ${exact}`;
	}

	/* Zero is not shown. */
	const orBlank = (number) => (number > 0 ? number : null);

	/* --- The text. */

	/* Right-aligned columns end where their headings end; the last one is a name. */
	function readTable(lines, headings) {
		const ends = [];
		for (const heading of headings)
			ends.push(lines[0].indexOf(heading, ends.at(-1) ?? 0) + heading.length);
		return lines.slice(1).map((line) => ({
			cells: ends.map((end, i) => line.slice(i === 0 ? 0 : ends[i - 1], end).trim()),
			name: line.slice(ends.at(-1)),
			line,
		}));
	}

	/* Columns have at most one blank between their words. */
	const headingsOf = (line) => line.trim().split(/ {2,}|(?<=%) (?=self)|(?<=-) (?=[a-z]{4})/u).flatMap((text) => text.split(/(?<=calls) (?=self)/u));

	function section(text, title, end) {
		const lines = text.split("\n");
		const first = lines.findIndex((line) => line.startsWith(title));
		if (first < 0)
			return [];
		const rest = lines.slice(first + 2);
		const last = rest.findIndex((line, i) => i > 0 && end(line));
		return last < 0 ? rest : rest.slice(0, last);
	}

	/* JSON has escaped control characters, and U+FFFD for each byte that the text escapes otherwise. */
	const escaped = (name) => name.replace(/[\x00-\x1f\x7f]/gu, (character) => `\\x${character.codePointAt(0).toString(16).padStart(2, "0")}`);
	const unescaped = (text) => text.replace(/\\x[89a-f][0-9a-f]/gu, "\ufffd");

	const plain = (name) => name.trim().replace(/ \(shared only\)$/u, "").replace(/( <cycle \d+>)?( \[\d+\])?$/u, "");

	/* A name in the call graph, and the remarks after it. */
	function splitName(text) {
		const [, name, , remarks] = /^(.*?)( <cycle \d+>)?(?: \[\d+\])(.*)$/u.exec(text.trim()) ?? [null, text.trim(), "", ""];
		return { name, remarks };
	}

	/* --- One profile. */

	function check({ name, data: text, truth, text: escapedReport }) {
		const report = unescaped(escapedReport);
		const wrong = [];
		const note = (problem) => problem !== "" && wrong.push(problem);
		const { mode, data: onPage } = open(text);
		/* The table takes the titles of its columns. */
		const titles = [...find("functions").tHead.rows[0].cells].map((head) => head.textContent);
		const counts = { functions: 0, arcs: 0, cycles: 0 };
		const isSeconds = truth.time_unit === "seconds";
		const shownName = (row) => escaped(row.demangled ?? row.name);
		/* Text does not distinguish functions of one name. */
		const known = new Map();
		for (const row of truth.functions)
			known.set(shownName(row), known.has(shownName(row)) ? null : row);
		const isMeasured = truth.measured !== undefined;
		const hasCalls = truth.functions.some((row) => row.calls > 0);
		const total = (row) => row.self + row.children;
		const share = (time) => 100 * time / truth.total;
		const ofRow = (row) => ({ isLowerBound: Boolean(row.is_lower_bound) && total(row) > 0 });
		const totalError = (row) => (row.is_lower_bound ? null : orBlank(Math.sqrt(row.total_variance)));
		const perCall = (row, time) => (row.calls > 0 ? time / row.calls : null);
		const arcOf = (caller, callee) => truth.arcs.find((arc) => arc.caller === caller.id && arc.callee === callee.id);
		const isTimed = (arc) => {
			const [caller, callee] = [truth.functions[arc.caller], truth.functions[arc.callee]];
			return !arc.removed && caller !== callee && (caller.cycle === null || caller.cycle !== callee.cycle);
		};
		/* The calls that share the time of the callee or of its cycle. */
		const sharing = (row) => (row.cycle === null ? row.calls : truth.cycles[row.cycle - 1].calls);

		/* --- The flat profile. */

		const flat = section(report, "Flat profile", (line) => line === "");
		const flatHeadings = headingsOf(flat[0].replace(/ +function$/u, ""));
		for (const { cells, name: named } of readTable(flat, flatHeadings)) {
			const row = known.get(plain(named));
			if (!row)
				continue;
			counts.functions++;
			let unit = 1;
			cells.forEach((cell, i) => {
				const heading = flatHeadings[i], before = flatHeadings[i - 1] ?? "";
				const own = units[/ (\S+)$/u.exec(cells[i])?.[1]];
				if (heading.endsWith("/call"))
					unit = own ?? 1;
				const exact = {
					"self %": () => share(row.self),
					"self s": () => row.self,
					"self samples": () => row.self,
					"total s": () => total(row),
					"total samples": () => total(row),
					calls: () => orBlank(row.calls + row.self_calls),
					"self/call": () => orBlank(perCall(row, row.self)),
					"total/call": () => orBlank(perCall(row, total(row))),
					"+/-": () => (before.startsWith("self") ? (row.self_samples > 0 ? Math.sqrt(row.self_variance) : null)
						: before === "total/call" ? (row.calls > 0 ? perCall(row, totalError(row) ?? 0) || null : null) : totalError(row)),
				}[heading.replace("+/- min", "+/-")];
				const isOfTotal = heading.startsWith("total");
				if (exact === undefined)
					note(`unknown column ${heading}`);
				else
					note(compare(`flat profile, ${row.name}, ${heading}`, cell === "-" ? "" : cell, exact(), { unit: heading.startsWith("+/-") && before.endsWith("/call") ? unit : 1, ...(isOfTotal ? ofRow(row) : {}) }));
			});
		}

		/* --- The call graph. */

		const graph = section(report, "Call graph", (line) => line.startsWith("Losses") || line.startsWith("Removed"));
		const graphHeadings = graph.length === 0 ? [] : ["index", "total %", isSeconds ? "self s" : "self spl", isSeconds ? "children s" : "child spl",
			...(/total \+\/-( min)?/u.exec(graph[0])?.slice(0, 1) ?? []), "called"];
		let entry = [];
		const endOfEntry = () => {
			const primary = entry.findIndex(({ line }) => line.startsWith("["));
			const itself = entry[primary];
			const named = splitName(itself.name);
			const cycle = /^<cycle (\d+) as a whole>/u.exec(named.name)?.[1];
			const row = cycle === undefined ? known.get(named.name) : truth.cycles[cycle - 1];
			const lines = entry;
			entry = [];
			if (!row)
				return;
			const label = cycle === undefined ? row.name : `cycle ${cycle}`;
			note(compare(`call graph, ${label}, total %`, itself.cells[1], share(total(row)), ofRow(row)));
			note(compare(`call graph, ${label}, self`, itself.cells[2], row.self));
			note(compare(`call graph, ${label}, children`, itself.cells[3], row.children, { isLowerBound: Boolean(row.is_lower_bound) }));
			if (itself.cells.length > 5)
				note(compare(`call graph, ${label}, error`, itself.cells[4], totalError(row)));
			const average = /\((\d+\.\d+) % by average costs/u.exec(named.remarks)?.[1];
			if (average !== undefined)
				note(compare(`call graph, ${label}, average costs`, average, share(row.self + row.estimated_children)));
			counts[cycle === undefined ? "functions" : "cycles"]++;
			if (cycle !== undefined)
				return;
			lines.forEach(({ cells, name: relative }, i) => {
				const split = splitName(relative);
				const other = known.get(split.name.replace(/ \((indirect|removed)\)$/u, ""));
				const arc = other && i !== primary ? arcOf(...(i < primary ? [other, row] : [row, other])) : undefined;
				if (i === primary || split.name === "<spontaneous>" || other === null)
					return;
				if (arc === undefined) {
					note(`call graph, ${label}: no arc for "${relative.trim()}"`);
					return;
				}
				const callee = truth.functions[arc.callee];
				const what = `call graph, ${truth.functions[arc.caller].name} -> ${callee.name}`;
				const marks = cells.map((cell) => cell.startsWith(">="));
				counts.arcs++;
				note(compare(`${what}, self`, cells[2], isTimed(arc) ? arc.self : null, { isLowerBound: marks[2] }));
				note(compare(`${what}, children`, cells[3], isTimed(arc) ? arc.children : null, { isLowerBound: marks[3] }));
				if ((marks[2] || marks[3]) && !arc.is_lower_bound)
					note(`${what} is marked as a lower bound`);
				const [count, whole] = cells.at(-1).split("/");
				note(compare(`${what}, calls`, count, arc.count));
				note(compare(`${what}, calls of the callee`, whole ?? "", isTimed(arc) && arc.count !== null ? sharing(callee) : null));
				const cost = /costs (\d+\.\d+) times/u.exec(split.remarks)?.[1];
				if (cost !== undefined)
					note(compare(`${what}, cost`, cost, (arc.self + arc.children) / (total(callee) * arc.count / sharing(callee))));
			});
		};
		for (const line of readTable(graph, graphHeadings)) {
			if (line.line.startsWith("---"))
				endOfEntry();
			else if (line.line.trim() !== "")
				entry.push(line);
		}

		/* --- The page. */

		const cellsOf = (columns, row) => columns.map(({ title, cell }, i) => {
			const made = cell(row);
			return { title: title.textContent || titles[i], text: made.textContent, interval: made.querySelector?.("title")?.textContent ?? "" };
		});
		const unitOf = (title) => units[title.split(" ").at(-1)] ?? 1;
		for (const shown of mode.rows()) {
			const isCycle = shown.kind === "cycle";
			const row = isCycle ? { ...truth.cycles[shown.id - onPage.functions.length], self: 0, self_variance: 0, self_calls: 0, name: shown.name } : truth.functions[shown.id];
			const sum = isCycle ? total(truth.cycles[shown.id - onPage.functions.length]) : total(row);
			const exact = {
				"self %": orBlank(share(row.self)), self: orBlank(row.self), "self \u00b1": orBlank(Math.sqrt(row.self_variance)),
				"total %": orBlank(share(sum)), total: orBlank(sum), "total \u00b1": totalError(row),
				calls: orBlank(row.calls + row.self_calls), "self/call": orBlank(perCall(row, row.self)), "total/call": orBlank(perCall(row, sum)),
			};
			let group = "";
			for (const { title, text: cell, interval } of cellsOf(mode.columns, shown)) {
				const what = `page, ${row.name}, ${title}`;
				group = /^(self|total)( |$)/u.exec(title)?.[1] ?? group;
				if (title === "95 % interval") {
					const [share0, share1] = interval.split(" % \u00b1 ");
					note(compare(what, share0, share(row.self)));
					note(compare(what, share1.split(" ")[0], 1.96 * share(Math.sqrt(row.self_variance))));
				} else if (title.startsWith("gprof")) {
					if (cell !== "")
						note(compare(what, cell, share(row.self + row.estimated_children)));
				} else if (title !== "function") {
					const key = title.startsWith("\u00b1") ? `${group} \u00b1` : title.endsWith("%") || title.includes("/") || title === "calls" ? title : group;
					note(compare(what, cell, exact[key], { unit: unitOf(title), ...(title.startsWith("total") ? ofRow(row) : {}) }));
				}
			}
			if (isCycle)
				continue;
			const { callers, callees } = mode.around(shown);
			for (const [i, relative] of [...callers, ...callees].entries()) {
				const arc = arcOf(...(i < callers.length ? [relative, row] : [row, relative]));
				if (arc === undefined) {
					note(`page, ${row.name}: no arc to or from ${relative.name}`);
					continue;
				}
				const callee = truth.functions[arc.callee];
				const time = arc.self + arc.children;
				const bound = { isLowerBound: Boolean(arc.is_lower_bound) && time > 0 };
				for (const { title, text: cell } of cellsOf(mode.aroundColumns, relative)) {
					const what = `page, ${truth.functions[arc.caller].name} -> ${callee.name}, ${title}`;
					if (title === "total %")
						note(compare(what, cell, orBlank(share(time)), bound));
					else if (title.startsWith("total"))
						note(compare(what, cell, orBlank(time), { unit: unitOf(title), ...bound }));
					else if (title === "calls")
						note(compare(what, cell, orBlank(arc.count)));
					else if (title.startsWith("of "))
						note(compare(what, cell.replace(" %", ""), isTimed(arc) && arc.count > 0 ? 100 * arc.count / sharing(callee) : null));
					else if (title.startsWith("gprof") && cell !== "")
						note(compare(what, cell, share(arc.estimated)));
				}
			}
		}
		const isNamed = truth.functions.some((row) => total(row) > 0 && row.kind === "function" && known.get(shownName(row)));
		const hasGraph = isMeasured || hasCalls;
		expect(`${name}: text, JSON and page agree`, wrong.slice(0, 5), []);
		expect(`${name}: functions and arcs were compared`, [counts.functions > 0, counts.arcs > 0], [isNamed, isNamed && hasGraph]);
		expect(`${name}: cycles were compared`, counts.cycles, truth.cycles.length);
	}

	report(() => JSON.parse(find("profiles").textContent).forEach(check));
}
