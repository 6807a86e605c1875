/* SPDX-License-Identifier: MIT */
/*
 * Put behind a page's own script by page.sh: does to the page what a reader does, and leaves lines "ok NAME" or "not ok NAME:
 * why" in place of the page. The page is named by an attribute of this script.
 */
"use strict";

{
	const find = (id) => document.getElementById(id);
	const results = [];
	const rowsOf = (table) => [...table.querySelectorAll("tbody tr")];
	const rows = () => rowsOf(find("functions"));
	const names = () => rows().map((row) => row.querySelector("a").textContent);
	const column = (i) => rows().map((row) => row.cells[i].textContent);
	const heads = [...find("functions").tHead.rows[0].cells];
	const sort = (i) => heads[i].querySelector("button").click();

	/* A column by the beginning of its title. */
	const columnOf = (title) => heads.findIndex((head) => head.textContent.startsWith(title));

	function expect(name, is, wanted) {
		const [a, b] = [JSON.stringify(is), JSON.stringify(wanted)];
		results.push(a === b ? `ok ${name}` : `not ok ${name}: it is ${a}, not ${b}`);
	}

	function search(typed) {
		find("search").value = typed;
		find("search").dispatchEvent(new Event("input"));
	}

	function show(address) {
		location.hash = address;
		dispatchEvent(new Event("hashchange"));
	}

	/* Far more than it takes, so that only what grows too fast fails. */
	function expectSoon(name, work) {
		const start = performance.now();
		work();
		const seconds = (performance.now() - start) / 1000;
		results.push(seconds < 5 ? `ok ${name}` : `not ok ${name}: it took ${seconds} s`);
	}

	const byEffect = ["main_loop", "fir_filter(float const*, int)", "crc32_fast", "sort", "log_event", "old_log",
		"\"><img src=x onerror=\"document.title='harm'\">", "<!--\x3cscript>\\xe2\\x80\\xa8"];

	function inspectSorting() {
		expect("what changed is shown by effect", names(), byEffect);
		sort(columnOf("self change"));
		expect("a column sorts the largest first", names().slice(0, 2), ["log_event", "fir_filter(float const*, int)"]);
		expect("and says so", heads.map((head) => head.ariaSort).filter((order) => order !== "none"), ["descending"]);
		sort(columnOf("self change"));
		expect("then the smallest", names().slice(0, 2), ["old_log", "crc32_fast"]);
		expect("and says that", heads[columnOf("self change")].ariaSort, "ascending");
		sort(columnOf("self change"));
		expect("then by effect again", names(), byEffect);
		sort(0);
		expect("names sort from their beginning", names().slice(2, 5), ["crc32_fast", "fir_filter(float const*, int)", "log_event"]);
		sort(columnOf("calls old"));
		expect("what there is none of comes last", column(columnOf("calls old")).slice(0, 3), ["64", "1", ""]);
		sort(columnOf("calls old"));
		expect("in either order", column(columnOf("calls old")).slice(0, 3), ["1", "64", ""]);
		sort(columnOf("calls old"));
		expect("every head is a button", heads.map((head) => head.firstElementChild.localName), heads.map(() => "button"));
	}

	function inspectSearch() {
		search("CRC");
		expect("a search takes part of a name in any case", names(), ["crc32_fast"]);
		search("crc32_slow");
		expect("and notes", names(), ["crc32_fast"]);
		search("/^(sort|main)/");
		expect("and expressions", names(), ["main_loop", "sort"]);
		search("/(/");
		expect("what is none is marked", find("search").getAttribute("aria-invalid"), "true");
		expect("and changes nothing", names(), ["main_loop", "sort"]);
		search("");
		expect("an empty search is none", names(), byEffect);
	}

	function inspectNoise() {
		find("noise").click();
		expect("what is within noise is shown on demand", names().slice(8), ["swap", "idle", "memcpy"]);
		expect("and dim", rows().map((row) => row.className).slice(7), ["", "noise", "noise", "noise"]);
		expect("both are counted", find("count").textContent, "11 of 11 shown; 8 of 11 functions changed");
		find("noise").click();
		expect("and hidden", names(), byEffect);
	}

	function inspectNeighbourhood() {
		const place = find("neighbourhood");
		const around = () => rowsOf(place).map((row) => row.cells[0].firstChild.textContent);
		expect("no neighbourhood is shown at first", place.hidden, true);
		show("#f=3");
		expect("a neighbourhood has callers, itself and callees", around(), ["main_loop", "sort", "swap", "sort"]);
		expect("with times and calls of both builds", [...rowsOf(place)[2].cells].map((cell) => cell.textContent).slice(1),
			["50.00", "60.00", "+20.0 %", "50.00", "60.00", "+20.0 %", "100", "inlined", "0 %"]);
		expect("and the interval of a total where the pointer rests", [...rowsOf(place)[2].cells].map((cell) => cell.title),
			["", "", "", "", "", "", "[-19 .. +78 %]", "", "", ""]);
		expect("under the titles of their columns", place.querySelectorAll("thead th").length, 10);
		expect("and its name is where readers are", document.activeElement.textContent, "sort");
		rowsOf(place)[0].querySelector("a").click();
		dispatchEvent(new Event("hashchange"));
		expect("one walks on by a link", around().slice(0, 2), ["main_loop", "fir_filter(float const*, int)"]);
		for (const address of ["#f=12", "#f=-1", "#f=x", "#__proto__"]) {
			show(address);
			expect(`there is no neighbourhood ${address}`, place.hidden, true);
		}
		show("#f=1");
		place.querySelector("a").click();
		dispatchEvent(new Event("hashchange"));
		expect("it can be closed", place.hidden, true);
	}

	function inspectPrinting() {
		const content = () => rows().map((row) =>
			row.textContent + [...row.querySelectorAll("svg")].map((bar) => bar.outerHTML) + [...row.cells].map((cell) => cell.title));
		const shown = content();
		search("sort");
		dispatchEvent(new Event("beforeprint"));
		expect("what is printed is what changed, as it is shown", content(), shown);
		dispatchEvent(new Event("afterprint"));
		expect("behind that the search is as it was", names(), ["sort"]);
		search("");
	}

	const inspections = {
		small() {
			expect("names are text", [document.images.length, document.title], [0, "bareprof diff: old.elf and new.elf"]);
			inspectSorting();
			inspectSearch();
			inspectNoise();
			inspectNeighbourhood();
			inspectPrinting();
		},
		same() {
			expect("where nothing changed nothing is shown", [rows().length, find("count").textContent],
				[0, "0 of 0 shown; 0 of 2 functions changed"]);
			find("noise").click();
			expect("but what is within noise on demand", names(), ["main_loop", "idle"]);
		},
		large() {
			expect("of many functions some are shown", find("count").textContent,
				"500 of 1,500 shown; 1,500 of 20,000 functions changed");
			find("more").click();
			expect("and more on demand", rows().length, 1000);
			find("more").click();
			expect("until there are no more", find("more").hidden, true);
			expectSoon("20,000 functions are shown in time", () => find("noise").click());
			expectSoon("and sorted by each column", () => heads.forEach((_, i) => sort(i)));
			expectSoon("and searched", () => search("/step_1999\\d$/"));
			expect("and found", rows().length, 10);
			expectSoon("and walked through", () => show("#f=19999"));
			expect("with all callers and callees", rowsOf(find("neighbourhood")).length, 6);
			show("#f=0");
			expect("of many callers those with most time are shown", find("callers").rows.length, 501);
			expect("and the others counted", find("callers").rows[0].textContent, "and 19,499 more");
		},
	};

	try {
		inspections[document.currentScript.dataset.page]();
	} catch (error) {
		results.push(`not ok inspection: ${error.stack.replaceAll("\n", " ")}`);
	}
	document.body.replaceChildren(`\n${results.join("\n")}\n`);
}
