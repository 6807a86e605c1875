/* SPDX-License-Identifier: MIT */
/*
 * Appended to a page by page.sh: uses the page as a reader does, and replaces it by lines "ok NAME" or "not ok NAME: why". An
 * attribute of this script names the page.
 */
"use strict";

{
	const rowsOf = (table) => [...table.querySelectorAll("tbody tr")];
	const rows = () => rowsOf(find("functions"));
	const names = () => rows().map((row) => row.querySelector("a").textContent);
	const column = (i) => rows().map((row) => row.cells[i].textContent);
	const heads = [...find("functions").tHead.rows[0].cells];
	const sort = (i) => heads[i].querySelector("button").click();

	/* The index of the column whose title begins so. */
	const columnOf = (title) => heads.findIndex((head) => head.textContent.startsWith(title));

	const byEffect = ["main_loop", "fir_filter(float const*, int)", "crc32_fast", "sort", "log_event", "old_log",
		"\"><img src=x onerror=\"document.title='harm'\">", "<!--\x3cscript>\\xe2\\x80\\xa8"];

	function inspectSorting() {
		expect("changes are ordered by effect", names(), byEffect);
		sort(columnOf("self change"));
		expect("a column sorts in descending order", names().slice(0, 2), ["log_event", "fir_filter(float const*, int)"]);
		expect("a descending order is announced", heads.map((head) => head.ariaSort).filter((order) => order !== "none"), ["descending"]);
		sort(columnOf("self change"));
		expect("a second click sorts in ascending order", names().slice(0, 2), ["old_log", "crc32_fast"]);
		expect("an ascending order is announced", heads[columnOf("self change")].ariaSort, "ascending");
		sort(columnOf("self change"));
		expect("a third click restores the order by effect", names(), byEffect);
		sort(0);
		expect("names sort alphabetically", names().slice(2, 5), ["crc32_fast", "fir_filter(float const*, int)", "log_event"]);
		sort(columnOf("calls old"));
		expect("empty cells come last in descending order", column(columnOf("calls old")).slice(0, 3), ["64", "1", ""]);
		sort(columnOf("calls old"));
		expect("empty cells come last in ascending order", column(columnOf("calls old")).slice(0, 3), ["1", "64", ""]);
		sort(columnOf("calls old"));
		expect("every column title is a button", heads.map((head) => head.firstElementChild.localName), heads.map(() => "button"));
	}

	function inspectSearch() {
		search("CRC");
		expect("a search finds part of a name in any case", names(), ["crc32_fast"]);
		search("crc32_slow");
		expect("a search finds notes", names(), ["crc32_fast"]);
		search("/^(sort|main)/");
		expect("a search finds regular expressions", names(), ["main_loop", "sort"]);
		search("/(/");
		expect("an invalid expression is marked", find("search").getAttribute("aria-invalid"), "true");
		expect("an invalid expression keeps the result", names(), ["main_loop", "sort"]);
		search("");
		expect("an empty search shows all changes", names(), byEffect);
	}

	function inspectNoise() {
		find("noise").click();
		expect("changes within noise are shown on demand", names().slice(8), ["swap", "idle", "memcpy"]);
		expect("changes within noise are dim", rows().map((row) => row.className).slice(7), ["", "noise", "noise", "noise"]);
		expect("shown and changed functions are counted", find("count").textContent, "11 of 11 shown; 8 of 11 functions changed");
		find("noise").click();
		expect("changes within noise are hidden on demand", names(), byEffect);
	}

	function inspectNeighbourhood() {
		const place = find("neighbourhood");
		const around = () => rowsOf(place).map((row) => row.cells[0].firstChild.textContent);
		expect("no neighbourhood is shown at first", place.hidden, true);
		show("#f=3");
		expect("a neighbourhood has callers, itself and callees", around(), ["main_loop", "sort", "swap", "sort"]);
		expect("a neighbourhood has times and calls of both builds", [...rowsOf(place)[2].cells].map((cell) => cell.textContent).slice(1),
			["50.00", "60.00", "+20.0 %", "50.00", "60.00", "+20.0 %", "100", "inlined", "0 %"]);
		expect("a tooltip shows the interval of a total", [...rowsOf(place)[2].cells].map((cell) => cell.title),
			["", "", "", "", "", "", "[-19 .. +78 %]", "", "", ""]);
		expect("a neighbourhood has column titles", place.querySelectorAll("thead th").length, 10);
		expect("the function of a neighbourhood has the focus", document.activeElement.textContent, "sort");
		rowsOf(place)[0].querySelector("a").click();
		dispatchEvent(new Event("hashchange"));
		expect("a link leads to the next neighbourhood", around().slice(0, 2), ["main_loop", "fir_filter(float const*, int)"]);
		for (const address of ["#f=12", "#f=-1", "#f=x", "#__proto__"]) {
			show(address);
			expect(`there is no neighbourhood ${address}`, place.hidden, true);
		}
		show("#f=1");
		place.querySelector("a").click();
		dispatchEvent(new Event("hashchange"));
		expect("a neighbourhood can be closed", place.hidden, true);
	}

	/* 480 samples, then 721, each of which counts as 1.21 samples of the first build. */
	function inspectFlame() {
		const { flame } = page.mode;
		const isSort = ({ frame }) => data.rows[flame.tree.functions[frame]]?.name === "sort";
		const [widest] = flame.frames.filter(isSort).sort((a, b) => b.width - a.width);
		click(find("flame"), widest, "click");
		expect("paths are said to be estimated", find("paths-text").textContent.startsWith("Paths as gprof's propagation implies: "), true);
		expect("a frame is described with its errors", find("frame").textContent, "sort: 480 \u00b1 43 samples, then 721 \u00b1 58 (95 % confidence); more self time");
		find("zoom-out").click();
	}

	function inspectPrinting() {
		const content = () => rows().map((row) =>
			row.textContent + [...row.querySelectorAll("svg")].map((bar) => bar.outerHTML) + [...row.cells].map((cell) => cell.title));
		const shown = content();
		search("sort");
		dispatchEvent(new Event("beforeprint"));
		expect("changes are printed as they are shown", content(), shown);
		dispatchEvent(new Event("afterprint"));
		expect("the search is restored after printing", names(), ["sort"]);
		search("");
	}

	/* 5930 samples have as many stacks in each build. main called b, which called itself through a. */
	function inspectMeasured() {
		const { flame } = page.mode;
		const nameOf = (frame) => data.rows[flame.tree.functions[frame]]?.name;
		const pathOf = (frame) => (frame === 0 ? [] : [...pathOf(flame.tree.parents[frame]), nameOf(frame)]);
		const deepest = flame.frames.map(({ frame }) => pathOf(frame)).sort((a, b) => b.length - a.length)[0];
		expect("paths come from the stacks", deepest, ["start", "main", "b", "a", "c"]);
		expect("paths are said to be measured", find("paths-text").textContent.startsWith("Paths as measured from stacks. "), true);
		expect("faint frames have few stacks", find("paths-text").textContent.endsWith("fewer than 4 stacks."), true);
	}

	const inspections = {
		measured: inspectMeasured,
		small() {
			expect("names are text", [document.images.length, document.title], [0, "bareprof diff: old.elf and new.elf"]);
			inspectSorting();
			inspectSearch();
			inspectNoise();
			inspectNeighbourhood();
			inspectFlame();
			inspectPrinting();
		},
		same() {
			expect("nothing is shown if nothing changed", [rows().length, find("count").textContent],
				[0, "0 of 0 shown; 0 of 2 functions changed"]);
			find("noise").click();
			expect("unchanged functions are shown on demand", names(), ["main_loop", "idle"]);
		},
		large() {
			expect("100 of many functions are shown", find("count").textContent,
				"100 of 1,500 shown; 1,500 of 20,000 functions changed");
			find("more").click();
			expect("more functions are shown on demand", rows().length, 200);
			for (let shown = 200; shown < 1500; shown += 100)
				find("more").click();
			expect("the button disappears at the last function", find("more").hidden, true);
			expectSoon("20,000 functions are shown in time", () => find("noise").click());
			expectSoon("20,000 functions are sorted by each column in time", () => heads.forEach((_, i) => sort(i)));
			expectSoon("20,000 functions are searched in time", () => search("/step_1999\\d$/"));
			expect("a search in 20,000 functions finds all matches", rows().length, 10);
			expectSoon("a neighbourhood of 20,000 functions is shown in time", () => show("#f=19999"));
			expect("a neighbourhood has all callers and callees", rowsOf(find("neighbourhood")).length, 6);
			show("#f=0");
			expect("of many callers those with the most time are shown", find("callers").rows.length, 101);
			expect("callers that are not shown are counted", find("callers").rows[0].textContent, "and 19,899 more");
		},
	};

	report(() => {
		inspections[document.currentScript.dataset.page]();
	});
}
