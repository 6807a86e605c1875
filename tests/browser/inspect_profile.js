/* SPDX-License-Identifier: MIT */
/*
 * Appended to the page of a profile by profile.sh, after the same profile as JSON: uses the page as a reader does, and replaces it
 * by lines "ok NAME" or "not ok NAME: why". An attribute of this script names the capture.
 */
"use strict";

{
	const truth = JSON.parse(find("truth").textContent);
	const capture = document.currentScript.dataset.page;
	const rows = () => [...find("functions").tBodies[0].rows];
	const names = () => rows().map((row) => row.querySelector("a").textContent);
	const heads = () => [...find("functions").tHead.rows[0].cells];
	const isClose = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b), 1e-9);
	const isActive = (row) => row.self + row.children > 0 || row.calls + row.self_calls > 0;
	const { flame } = page.mode;

	function press(canvas, key) {
		canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
	}

	const nameOf = (frame) => data.functions[flame.tree.functions[frame]][0];

	/* --- Numbers, compared with JSON. Functions are numbered alike. */

	function inspectNumbers() {
		const active = truth.functions.filter(isActive);
		const own = (id) => page.mode.row(id);
		const differing = (left, right) => active.filter((row) => !isClose(left(own(row.id)), right(row))).map((row) => row.name);
		expect("all functions with time or calls are listed", active.filter((row) => own(row.id) === undefined).map((row) => row.name), []);
		expect("no other function is listed", page.mode.rows().length, active.length + truth.cycles.length);
		const cycles = truth.cycles.map((cycle, i) => [cycle, own(data.functions.length + i)]);
		expect("cycles as a whole have the total times of JSON", cycles.filter(([cycle, row]) => !isClose(row.total, cycle.self + cycle.children)), []);
		expect("self times are as in JSON", differing((row) => row.self, (row) => row.self), []);
		expect("errors of self times are as in JSON", differing((row) => row.selfError, (row) => Math.sqrt(row.self_variance)), []);
		expect("total times are as in JSON", differing((row) => row.total, (row) => row.self + row.children), []);
		expect("calls are as in JSON", differing((row) => row.calls + row.selfCalls, (row) => row.calls + row.self_calls), []);
		const inFunctions = truth.functions.reduce((sum, row) => sum + row.self, 0);
		expect("the flame graph has all time of functions", isClose(flame.tree.times[0], inFunctions), true);
		const times = new Map();
		flame.tree.functions.forEach((id, frame) => {
			let above = 0;
			for (let i = flame.tree.firstChild(frame); i !== 0; i = flame.tree.siblings[i])
				above += flame.tree.times[i];
			times.set(id, (times.get(id) ?? 0) + flame.tree.times[frame] - above);
		});
		const wrong = active.filter((row) => Math.abs((times.get(row.id) ?? 0) - row.self) > 1e-6 * truth.total);
		expect("the frames of each function have its self time", wrong.map((row) => row.name), []);
	}

	function inspectArcs() {
		const wrong = [];
		for (const row of truth.functions.filter(isActive).slice(0, 100)) {
			const { callers, callees } = page.mode.around(page.mode.row(row.id));
			const around = truth.arcs.filter((arc) => !arc.removed && (arc.caller === row.id || arc.callee === row.id));
			if (callers.length + callees.length !== around.length)
				wrong.push(row.name);
		}
		expect("callers and callees are the arcs of JSON", wrong, []);
	}

	/* --- Use. */

	function inspectDemo() {
		expect("functions are ordered by self time", names().slice(0, 3), ["<bareprof>", "fir_step", "crc32"]);
		heads()[5].querySelector("button").click();
		expect("a column sorts in descending order", names().slice(0, 2), ["main", "run_round"]);
		expect("a descending order is announced", heads()[5].ariaSort, "descending");
		heads()[5].querySelector("button").click();
		heads()[5].querySelector("button").click();
		heads()[0].querySelector("button").click();
		expect("names sort alphabetically", names().slice(3, 5), ["acquisition_take", "biquad_run"]);
		heads()[0].querySelector("button").click();
		heads()[0].querySelector("button").click();
		search("/^(crc32|fir_step)$/");
		expect("a search finds regular expressions", names(), ["fir_step", "crc32"]);
		search("");
		expect("every column title is a button", heads().map((head) => head.firstElementChild.localName), heads().map(() => "button"));

		/* Paths end in the function where samples were taken, so the flame graph begins with roots. */
		const [first] = flame.frames;
		expect("the widest frame is the first", nameOf(first.frame), "main");
		click(find("flame"), flame.frames.find(({ frame }) => nameOf(frame) === "find_records"), "click");
		expect("a click zooms in", nameOf(flame.zoomed), "find_records");
		expect("the zoomed frame is as wide as the canvas", flame.frames.find(({ frame }) => frame === flame.zoomed).width, find("flame").clientWidth);
		expect("a frame is described with its error", /^find_records: \d+\.\d\d % \u00b1 0\.\d\d % \(95 % confidence\), \d\.\d+ s$/u.test(find("frame").textContent), true);
		press(find("flame"), "ArrowDown");
		expect("an arrow key selects the next frame", find("frame").textContent.startsWith("filter_window: "), true);
		press(find("flame"), "Enter");
		expect("Enter zooms in", nameOf(flame.zoomed), "filter_window");
		press(find("flame"), "Escape");
		press(find("flame"), "Escape");
		press(find("flame"), "Escape");
		press(find("flame"), "Escape");
		expect("Escape zooms out to all", flame.zoomed, 0);
		find("upwards").click();
		expect("callers can be at the bottom", flame.frames[0].y > flame.frames.at(-1).y, true);
		find("upwards").click();
		click(find("flame"), flame.frames.find(({ frame }) => nameOf(frame) === "filter_window"), "dblclick");
		dispatchEvent(new Event("hashchange"));

		const place = find("neighbourhood");
		expect("a double click shows the function", find("neighbour").textContent, "filter_window");
		expect("the function has the focus", document.activeElement, find("neighbour"));
		const around = [...place.querySelectorAll("#callers tr, #itself tr, #callees tr")].map((row) => row.cells[0].firstChild.textContent);
		expect("callers and callees are shown", around, ["find_records", "filter_window", "fir_step", "biquad_run"]);
		expect("the columns have titles", [...place.querySelector("thead").rows[0].cells].map((head) => head.textContent)[0], "function");
		const { callersFlame, calleesFlame } = page.mode;
		const total = page.mode.row(page.mode.rows().find((row) => row.name === "filter_window").id).total;
		expect("paths that lead to the function have its total time", isClose(callersFlame.tree.times[0], total), true);
		expect("paths from the function have its total time", isClose(calleesFlame.tree.times[0], total), true);
		expect("the source is shown", place.querySelector("#source .code").textContent, "{");
		const hot = [...place.querySelectorAll("#source .hot .code")].map((cell) => cell.textContent.trim());
		expect("the hot lines are marked", hot.includes("for (size_t i = 0; i + TAPS <= FILTER_WINDOW; i++)"), true);
		expect("the function's place is shown", /filter\.c:\d+$/u.test(find("place").textContent), true);
		const hottest = /^Hottest line: filter\.c:(\d+), (\d+\.\d\d) %$/u.exec(find("hottest").textContent)?.slice(1);
		const hottestRow = place.querySelector(".hottest");
		expect("the hottest line is shown", hottest, [hottestRow.cells[5].textContent, hottestRow.cells[0].textContent]);
		const numbers = [...place.querySelectorAll("#source tbody tr")].map((row) => row.cells[5]?.textContent).filter((text) => text);
		expect("left out lines are marked", numbers.filter((text, i) => i > 0 && Number(text) !== Number(numbers[i - 1]) + 1).length,
			[...place.querySelectorAll("#source .code")].filter((cell) => cell.textContent === "\u2026").length);
		expect("instructions are hidden at first", place.querySelectorAll(".instruction").length, 0);
		find("instructions").click();
		const instructions = [...place.querySelectorAll(".instruction .code")].map((cell) => cell.textContent);
		expect("instructions are shown on demand", instructions.some((text) => /^[0-9a-f]+ {2}bl /u.test(text) && text.includes("<fir_step>")), true);
		find("instructions").click();
		const cycle = page.mode.rows().find(({ kind }) => kind === "cycle");
		show(`#f=${cycle.id}`);
		const members = [...find("itself").rows].map((line) => line.cells[0].firstChild.textContent);
		expect("a cycle is shown with its members", members.slice(1).sort(), ["parse_expression", "parse_factor", "parse_greater", "parse_term"]);
		expect("callers of a cycle are outside of it", [...find("callers").rows].map((line) => line.cells[0].firstChild.textContent), ["expression_evaluate"]);
		expect("paths that lead to a cycle have its total time", isClose(callersFlame.tree.times[0], cycle.total), true);
		show(`#f=${cycle.members[0]}`);
		place.querySelector("#itself .note a").click();
		dispatchEvent(new Event("hashchange"));
		expect("a member leads to its cycle", find("neighbour").textContent, "<cycle 1 as a whole>");
		show(`#f=${page.mode.rows().find(({ name }) => name === "filter_window").id}`);
		search("filter_window");
		const [{ self }] = page.mode.rows().filter(({ name }) => name === "filter_window");
		expect("the time of all that match is shown", find("count").textContent.includes(`1 of 1 shown, with ${page.mode.percent(self)} % self time;`), true);
		search("");
		show("#name=crc32");
		expect("an address may have the name of a function", find("neighbour").textContent, "crc32");
		for (const address of ["#name=nothing", "#name=%", "#name="]) {
			show(address);
			expect(`no function is called ${address}`, place.hidden, true);
		}
		show("#");
		expect("the function can be closed", place.hidden, true);
		for (const address of ["#f=99999", "#f=-1", "#f=x", "#__proto__"]) {
			show(address);
			expect(`there is no function ${address}`, place.hidden, true);
		}
	}

	function choose(view) {
		find("view").value = String(view);
		find("view").dispatchEvent(new Event("change"));
	}

	const allTime = () => page.mode.rows().reduce((all, row) => all + row.self, 0);

	function timeOfViews(first, count) {
		let sum = 0;
		for (let i = first; i < first + count; i++) {
			choose(i);
			sum += allTime();
		}
		choose(0);
		return sum;
	}

	function inspectTasks() {
		const whole = names().length;
		const contexts = truth.contexts.length;
		expect("each context can be chosen", find("view").options.length, contexts + 1);
		expect("the times of contexts add up to all", isClose(timeOfViews(1, contexts), allTime()), true);
		expect("everything can be shown again", names().length, whole);
		show(`#f=${page.mode.rows()[0].id}`);
		const note = find("source-note").textContent;
		choose(1);
		show(`#f=${page.mode.rows()[0].id}`);
		expect("the source is announced as covering all contexts", [note, find("source-note").textContent.trim()], ["", "Times of everything, not only of the part shown."]);
		choose(0);
	}

	function inspectCores() {
		const options = [...find("view").options].map((option) => option.textContent);
		expect("contexts and cores can be chosen", options, ["everything", "context idle", "context dsp", "context uart", "<no context>", "core 1", "core 0"]);
		expect("the times of cores add up to all", isClose(timeOfViews(5, 2), allTime()), true);
	}

	function inspectHostile() {
		expect("names are text", [document.images.length, document.querySelectorAll("b").length], [0, 0]);
		expect("markup in a name is shown", names().some((name) => name.includes("<&lt;b>")), true);
	}

	function inspectLarge() {
		expectSoon("20,000 functions are sorted by each column in time", () => heads().forEach((head) => head.querySelector("button").click()));
		expectSoon("20,000 functions are searched in time", () => search("/9$/"));
		expectSoon("the search ends in time", () => search(""));
		expectSoon("the flame graph zooms in time", () => flame.zoom(flame.frames[1].frame));
		expectSoon("a function is shown in time", () => show("#f=10000"));
	}

	function inspectRegions() {
		const frames = () => flame.frames.length;
		const before = frames();
		find("colours").value = "region";
		find("colours").dispatchEvent(new Event("change"));
		const shown = [...find("legend").children].filter((entry) => !entry.hidden).map((entry) => entry.textContent.trim());
		expect("regions have a legend", shown.map((text) => text.split(" ")[0]), ["low", "high"]);
		const sum = shown.reduce((all, text) => all + Number(text.split(" ")[1]), 0);
		expect("the times of regions add up to all", Math.abs(sum - 100) < 0.02, true);
		const colours = page.mode.palette();
		const ids = ["main", "crc32"].map((name) => truth.functions.find((row) => row.name === name));
		expect("functions have the colour of their region", colours(ids[0].id) !== colours(ids[1].id), true);
		expect("colours do not change frames", frames(), before);
	}

	/* A total time that was measured is next to gprof's estimate, and calls that were not counted are blank. */
	function inspectMeasured() {
		const titles = heads().map((head) => head.textContent);
		const cells = (title) => rows().map((row) => row.cells[titles.indexOf(title)].textContent);
		const shown = rows().map((row) => truth.functions.find(({ name }) => name === row.querySelector("a").textContent));
		expect("functions that differ from the estimate are marked", cells("gprof\u2019s estimate %").map((text) => text.startsWith("\u2260")), shown.map(({ differs }) => differs));
		expect("some differ, some do not", new Set(shown.map(({ differs }) => differs)).size, 2);
		expect("calls are blank where none were counted", cells("calls").map((text) => text === ""), shown.map(({ calls, self_calls }) => !calls && !self_calls));
		show("#name=c");
		const marked = [...find("callers").rows].map((row) => [row.cells[0].firstChild.textContent, row.cells[3].textContent.startsWith("\u2260")]);
		const callers = truth.arcs.filter(({ callee }) => truth.functions[callee].name === "c");
		expect("arcs that differ are marked", marked.sort(), callers.map(({ caller, differs }) => [truth.functions[caller].name, differs]).sort());
		expect("paths are said to be measured", find("paths-text").textContent.startsWith("Paths as measured from stacks."), true);
	}

	/* Calls within a cycle of the estimate have no time in it, and its functions are without these calls. */
	function inspectRecursive() {
		const titles = heads().map((head) => head.textContent);
		const shown = rows().map((row) => ({ name: row.querySelector("a").textContent, cell: row.cells[titles.indexOf("gprof\u2019s estimate %")] }));
		const members = shown.filter(({ name }) => name === "a" || name === "b");
		expect("functions within recursion are marked", members.map(({ cell }) => cell.textContent.startsWith("\u2260")), [true, true]);
		expect("the mark of recursion is explained", members.map(({ cell }) => cell.title.endsWith(": the estimate leaves out recursive calls")), [true, true]);
		expect("other marks are explained otherwise", shown.filter(({ name, cell }) => cell.title.includes("recursive") && name !== "a" && name !== "b").length, 0);
		for (const [name, callee] of [["a", "b"], ["b", "a"]]) {
			show(`#name=${name}`);
			const cell = [...find("callees").rows].find((row) => row.cells[0].firstChild.textContent === callee).cells[3];
			expect(`the call of ${callee} by ${name} is marked`, [cell.textContent, cell.title.endsWith("recursive calls")], ["\u2260 0.00", true]);
		}
		expect("marks are explained next to the table", find("marks").textContent.startsWith("\u2260: "), true);
	}

	function inspectUncounted() {
		expect("without recorded calls there is no estimate", heads().some((head) => head.textContent.includes("estimate")), false);
		const calls = heads().findIndex((head) => head.textContent === "calls");
		expect("all calls are blank", rows().map((row) => row.cells[calls].textContent).join(""), "");
		show("#name=c");
		expect("arcs have no calls", [...find("callers").rows].map((row) => row.cells[3].textContent).join(""), "");
		expect("a function without recorded calls may have been called", find("place").textContent.includes("no recorded calls"), false);
	}

	/* start has no self time: its only line called sum and first. */
	function inspectLines() {
		show("#name=start");
		const [line] = find("source").querySelectorAll("tr.hot, tbody tr:has(td:nth-child(4):not(:empty))");
		expect("a line that only calls others has its total time", line?.cells[3].textContent, "1.000");
		expect("its total time has an error", line?.cells[4].textContent, "0.100");
		expect("it is the line of the calls", line?.cells[7].textContent, "27");
		expect("it has no self time and no calls", [0, 1, 2, 5, 6].map((i) => line?.cells[i].textContent).join(""), "");
		expect("there is no hottest line", find("hottest").hidden, true);
	}

	const inspections = {
		regions: inspectRegions,
		demo: inspectDemo,
		tasks: inspectTasks,
		cores: inspectCores,
		hostile: inspectHostile,
		large: inspectLarge,
		lines: inspectLines,
		measured: inspectMeasured,
		recursive: inspectRecursive,
		uncounted: inspectUncounted,
	};
	report(() => {
		expect("the page shows a profile", document.body.className, "live profile");
		inspectNumbers();
		inspectArcs();
		inspections[capture]?.();
	});
}
