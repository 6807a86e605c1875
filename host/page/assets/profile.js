/* SPDX-License-Identifier: MIT */
/* The page of one profile. Times are numbers in the profile's unit, errors are standard errors; host/report/html_data.c
 * describes the data. */

/* Formats for a profile of this total time. */
function makeFormat(total) {
	const isSeconds = data.unit === "seconds";
	const [scale, unit] = !isSeconds ? [1, "samples"] : total >= 1 ? [1, "s"] : total >= 1e-3 ? [1e3, "ms"] : [1e6, "\u00b5s"];
	const digits = !isSeconds ? 0 : total * scale >= 100 ? 2 : 3;
	const share = (time) => (total > 0 ? (100 * time) / total : 0);

	return {
		unit,
		share,
		time: (time) => (time * scale).toFixed(digits),
		percent: (time) => share(time).toFixed(2),
		perCall(time) {
			if (!isSeconds)
				return time.toPrecision(3);
			const [scaled, unit] = time >= 1 ? [time, "s"] : time >= 1e-3 ? [time * 1e3, "ms"] : time >= 1e-6 ? [time * 1e6, "\u00b5s"] : [time * 1e9, "ns"];
			return `${scaled.toPrecision(4)} ${unit}`;
		},
	};
}

/* Cores, and contexts without names, are named by their kind. */
const titleOf = ({ kind, name }) => (kind === "" ? "everything" : kind === "core" || name[0] === "<" ? name : `${kind} ${name}`);

/* An item of data.views: one part of the profile, with functions to read it. */
function makeView({ name, kind, time, samples, stacks, rows, arcs, cycles, paths }) {
	const functions = new Map();

	/* Cycles as a whole are numbered after all functions. */
	const idOfCycle = (cycle) => data.functions.length + cycle;

	for (const [id, self, selfError, total, totalError, calls, selfCalls, cycle, estimate, estimateError, differs, wasInCycle, isLowerBound] of rows)
		functions.set(id, { id, self, selfError, total, totalError, calls, selfCalls, cycle, estimate, estimateError, differs, wasInCycle, isLowerBound, ...describe(id, cycle) });

	function describe(id, cycle) {
		const inCycle = cycle < 0 ? { note: "" } : { note: `cycle ${cycle + 1}`, noteId: idOfCycle(cycle) };
		return { name: data.functions[id][0], kind: data.functions[id][1], ...inCycle };
	}

	cycles.forEach(([total, totalError, calls, members, isShared], cycle) => {
		const note = `${grouped(members.length)} functions that call each other${isShared ? "; shares of their callers can be far off" : ""}`;
		const id = idOfCycle(cycle);
		functions.set(id, { id, name: `<cycle ${cycle + 1} as a whole>`, kind: "cycle", note, members, self: 0, selfError: 0, total, totalError, calls, selfCalls: 0 });
	});

	/* In a cycle that several functions call. */
	const isGuess = (id) => cycles[functions.get(id)?.cycle]?.[4] ?? false;

	let made = null;
	function tree() {
		if (made === null) {
			made = new FrameTree();
			for (const [shared, spent, ...rest] of paths)
				made.addNext(shared, rest, spent);
			made.complete();
		}
		return made;
	}

	/* The paths to a function or a cycle, and the paths from it. Recursive calls are part of the outermost call. */
	function treesAround(id) {
		const members = new Set(functions.get(id)?.members ?? [id]);
		const whole = tree();
		const [callers, callees] = [new FrameTree(), new FrameTree()];
		const isMember = (frame) => members.has(whole.functions[frame]);
		for (let frame = 1; frame < whole.functions.length; frame++) {
			if (!isMember(frame))
				continue;
			let below = whole.parents[frame];
			while (below !== 0 && !isMember(below))
				below = whole.parents[below];
			if (below !== 0)
				continue;
			callers.addInverted(whole, frame);
			callees.addAbove(whole, frame);
		}
		return { callers: callers.complete(), callees: callees.complete() };
	}

	const sorted = [...functions.values()].sort((a, b) => b.self - a.self || b.total - a.total);
	return { title: titleOf({ kind, name }), time, sampleTime: samples > 0 ? time / Math.min(samples, stacks ?? samples) : 0, functions, sorted, arcs, cycles, isGuess, tree, treesAround, format: makeFormat(time) };
}

function makeProfile() {
	const views = [];
	let view;

	function choose(index) {
		views[index] ??= makeView(data.views[index]);
		view = views[index];
	}
	choose(0);

	/* --- Cells. */

	const cell = (text, properties) => element("td", properties ?? {}, text);
	const known = (number) => (number ?? null) !== null;
	const shown = (time, format, isLowerBound) => cell(known(time) && time > 0 ? `${isLowerBound ? "\u2265 " : ""}${format(time)}` : "");
	const percentCell = (time, isLowerBound) => shown(time, view.format.percent, isLowerBound);
	const timeCell = (time, isLowerBound) => shown(time, view.format.time, isLowerBound);
	const countCell = (count) => cell(count > 0 ? grouped(count) : "");
	const allCalls = (row) => row.calls + row.selfCalls;
	/* Recursive calls are not counted: their time belongs to the call from outside. */
	const perCall = (row, time) => (row.calls > 0 ? time / row.calls : null);
	const perCallCell = (time, isLowerBound) => shown(time, view.format.perCall, isLowerBound);
	/* gprof's estimate of a total time that was measured. The estimate excludes the time of recursive calls. */
	function estimateCell({ estimate, differs, wasInCycle }) {
		if (!known(estimate) || (estimate <= 0 && !differs))
			return cell("");
		const reason = wasInCycle || estimate <= 0 ? "the estimate leaves out recursive calls" : "calls do not all cost the same";
		const title = differs ? `differs from the measured time by more than three standard errors: ${reason}` : "";
		return cell(`${differs ? "\u2260 " : ""}${view.format.percent(estimate)}`, { title, className: differs ? "differs" : "" });
	}
	const interval = (row) => `${view.format.percent(row.self)} % \u00b1 ${view.format.percent(CONFIDENCE * row.selfError)} % (95 % confidence)`;

	/* The share of the time, with its interval. */
	function barCell(row) {
		const svg = find("share").content.firstElementChild.cloneNode(true);
		const max = view.sorted.length > 0 ? view.sorted[0].self + CONFIDENCE * view.sorted[0].selfError : 1;
		const at = (time) => Math.min(Math.max((100 * time) / max, 0), 100).toFixed(1);
		const [low, high] = [row.self - CONFIDENCE * row.selfError, row.self + CONFIDENCE * row.selfError];
		svg.querySelector("title").textContent = interval(row);
		svg.querySelector(".value").setAttribute("d", row.self > 0 ? `M0 0H${at(row.self)}` : "");
		svg.querySelector(".error").setAttribute("d", row.self > 0 ? `M${at(low)} 0H${at(high)}M${at(low)}-4V4M${at(high)}-4V4` : "");
		return cell(svg);
	}

	function title(text, unit) {
		return element("th", {}, text, ...(unit ? [" ", element("small", {}, unit)] : []));
	}

	/* The errors of lower bounds leave out the callers that stacks do not show. */
	const totalError = (row) => (row.isLowerBound ? null : row.totalError);

	function makeColumns() {
		const { unit } = view.format;
		return [
			{ title: title("function"), key: nameKey, cell: nameCell },
			{ title: title("self", "%"), key: (row) => row.self, cell: (row) => percentCell(row.self) },
			{ title: title("95 % interval"), key: (row) => row.self, cell: barCell },
			{ title: title("self", unit), key: (row) => row.self, cell: (row) => timeCell(row.self) },
			{ title: title("\u00b1", unit), key: (row) => row.selfError, cell: (row) => timeCell(row.selfError) },
			{ title: title("total", "%"), key: (row) => row.total, cell: (row) => percentCell(row.total, row.isLowerBound) },
			{ title: title("total", unit), key: (row) => row.total, cell: (row) => timeCell(row.total, row.isLowerBound) },
			{ title: title("\u00b1", unit), key: totalError, cell: (row) => timeCell(totalError(row)) },
			...(data.has_estimate ? [{ title: title("gprof\u2019s estimate", "%"), key: (row) => row.estimate, cell: estimateCell }] : []),
			{ title: title("calls"), key: allCalls, cell: (row) => countCell(allCalls(row)) },
			{ title: title("self/call"), key: (row) => perCall(row, row.self), cell: (row) => perCallCell(perCall(row, row.self)) },
			{ title: title("total/call"), key: (row) => perCall(row, row.total), cell: (row) => perCallCell(perCall(row, row.total), row.isLowerBound) },
		];
	}

	function count(shown, chosen) {
		const self = chosen.reduce((sum, row) => sum + row.self, 0);
		const found = find("search").value === "" ? "" : `, with ${view.format.percent(self)} % self time`;
		return `${grouped(shown)} of ${grouped(chosen.length)} shown${found}; ${grouped(view.sorted.length)} functions ran or were called`;
	}

	/* --- Callers and callees. */

	const aroundColumns = [
		{ title: title("function"), cell: nameCell },
		{ title: title("total", "%"), cell: (row) => percentCell(row.time, row.isLowerBound) },
		{ title: title("total", view.format.unit), cell: (row) => timeCell(row.time, row.isLowerBound) },
		...(data.has_estimate ? [{ title: title("gprof\u2019s estimate", "%"), cell: estimateCell }] : []),
		{ title: title("calls"), cell: (row) => countCell(row.count) },
		{ title: title("of callee's calls"), cell: (row) => cell(row.of) },
	];

	/* The arc's part of all calls that share the time of the callee or of its cycle; "" for recursion and within a cycle. */
	function partOfCalls([caller, callee, count]) {
		const [from, to] = [caller, callee].map((id) => view.functions.get(id));
		const isInCycle = to?.cycle >= 0;
		const calls = isInCycle ? view.functions.get(data.functions.length + to.cycle).calls : to?.calls;
		const hasPart = calls > 0 && count > 0 && caller !== callee && !(isInCycle && from?.cycle === to.cycle);
		return hasPart ? `${((100 * count) / calls).toFixed(1)} %` : "";
	}

	function arcRow(id, arc) {
		const [, , count, time, estimate, differs, isLowerBound] = arc;
		const row = view.functions.get(id) ?? { id, name: data.functions[id][0], note: "" };
		return { ...row, count, time, estimate, differs, isLowerBound, wasInCycle: false, of: partOfCalls(arc) };
	}

	const itself = (row) => ({ ...row, time: row.total, count: allCalls(row), of: "" });

	/* A function that calls itself is listed only among its callees. A cycle has its members in the middle. */
	function around(row) {
		const members = new Set(row.members ?? [row.id]);
		const isCycle = row.members !== undefined;
		const callers = view.arcs.filter(([caller, callee]) => members.has(callee) && !members.has(caller));
		const callees = view.arcs.filter(([caller, callee]) => members.has(caller) && !(isCycle && members.has(callee)));
		return {
			itself: [row, ...(row.members ?? []).map((id) => view.functions.get(id))].map(itself),
			callers: callers.map((arc) => arcRow(arc[0], arc)),
			callees: callees.map((arc) => arcRow(arc[1], arc)),
		};
	}

	/* --- The flame graphs. */

	/* Functions of one file have similar colours. */
	const hues = [];
	function hue(func) {
		if (hues[func] === undefined) {
			const [name, , , , file] = data.functions[func];
			let hash = 0;
			for (const character of file ?? name)
				hash = (hash * 31 + character.codePointAt(0)) % 360;
			hues[func] = hash;
		}
		return hues[func];
	}

	/* Each region of memory has a hue of its own. */
	const regionColour = (region, rest) => `hsl(${(210 + region * 137) % 360} ${rest})`;

	function showLegend() {
		const rest = colourOf("--frame");
		const entries = data.regions.map(([name, time], region) => {
			const swatch = element("span", { className: "swatch" });
			swatch.style.background = regionColour(region, rest);
			return element("span", { hidden: time <= 0 }, swatch, ` ${name} ${views[0].format.percent(time)} % `);
		});
		const scope = data.views.length > 1 ? ["of all time: "] : [];
		find("legend").replaceChildren(...(find("colours").value === "region" ? [...scope, ...entries] : []));
	}

	function palette() {
		const byRegion = find("colours").value === "region";
		const [recorder, other, rest] = ["--recorder", "--other", "--frame"].map(colourOf);
		return (func) => {
			const [, kind, , region] = data.functions[func];
			if (byRegion)
				return regionColour(region, rest);
			if (kind === "function")
				return `hsl(${hue(func)} ${rest})`;
			return kind === "bareprof" ? recorder : other;
		};
	}

	const look = {
		name: (func) => data.functions[func][0],
		palette,
		/* With fewer than four samples, or stacks, the relative error is above one half. */
		isFaint: (time) => time < 4 * view.sampleTime,
		isGuess: (func) => view.isGuess(func),
		describe(tree, frame) {
			const time = tree.times[frame];
			const error = CONFIDENCE * Math.sqrt(time * view.sampleTime);
			const within = tree.times[0] < view.time ? `, ${((100 * time) / tree.times[0]).toFixed(2)} % of these paths` : "";
			const guess = view.isGuess(tree.functions[frame]) ? "; in a cycle that several functions call: the shares of its callers are estimated from average costs" : "";
			return `${data.functions[tree.functions[frame]][0]}: ${view.format.percent(time)} % \u00b1 ${view.format.percent(error)} % (95 % confidence)${within}, ${view.format.time(time)} ${view.format.unit}${guess}`;
		},
	};
	const flame = makeMainFlame(look);
	const callersFlame = makeFlame(find("callers-flame"), find("around"), look);
	const calleesFlame = makeFlame(find("callees-flame"), find("around"), look);
	callersFlame.setUpwards(true);

	const source = makeSource(makeFormat(data.views[0].time));
	/* Where the function is, and why it may have no callers. */
	function placeOf(row) {
		const [, , , , file, line] = data.functions[row.id] ?? [];
		const isCalled = allCalls(row) > 0 || row.kind !== "function" || data.is_measured;
		return [file ? `${file}:${line}` : "", isCalled ? "" : "no recorded calls: an entry point, or compiled without -pg"].filter(Boolean).join("; ");
	}

	function fillNeighbourhood(row) {
		find("place").textContent = placeOf(row);
		const trees = view.treesAround(row.id);
		find("sandwich").hidden = trees.callees.times[0] === 0;
		if (!find("sandwich").hidden) {
			calleesFlame.show(trees.callees);
			callersFlame.show(trees.callers);
		}
		source.show(row, view !== views[0]);
	}

	function showView() {
		find("graph").hidden = view.time <= 0;
		flame.show(view.tree());
	}

	/* --- Controls. */

	find("plain").hidden = true;
	find("noise-label").hidden = true;
	find("part").hidden = data.views.length < 2;
	find("view").replaceChildren(...data.views.map((item, i) => element("option", { value: i }, titleOf(item))));
	find("view").addEventListener("change", () => {
		choose(Number(find("view").value));
		showView();
		page.table.showAnew();
		page.neighbourhood.show();
	});
	find("colours-label").hidden = data.regions.filter(([, time]) => time > 0).length < 2;
	find("colours").addEventListener("change", () => {
		showLegend();
		for (const graph of [flame, callersFlame, calleesFlame])
			graph.draw();
	});
	find("paths-text").textContent = `${sentence(data.paths_text)}. Faint: fewer than 4 ${data.is_measured ? "stacks" : "samples"}.${view.cycles.some(([, , , , isShared]) => isShared) ? " Dashed: in a cycle that several functions call." : ""}`;
	find("marks").hidden = !data.is_measured;
	find("marks").textContent = `${data.has_estimate ? "\u2260: gprof\u2019s estimate differs from the measured total time by more than three standard errors, because calls do not all cost the same or because it leaves out recursive calls. " : ""}\u2265: a lower bound; stacks with unknown callers may add more. Calls are blank where none were counted.`;

	return {
		columns: makeColumns(),
		rows: () => view.sorted,
		row: (id) => view.functions.get(Number(id)),
		percent: (time) => view.format.percent(time),
		named: (name) => view.sorted.find((row) => row.name === name),
		matches: (row, isWanted) => isWanted(row.name) || isWanted(row.note),
		count,
		around,
		aroundColumns,
		fillNeighbourhood,
		start: showView,
		palette,
		flame,
		callersFlame,
		calleesFlame,
	};
}
