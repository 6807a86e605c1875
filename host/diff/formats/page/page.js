/* SPDX-License-Identifier: MIT */
/* Sorts, searches and shows the page's data. Every cell comes as text with a key to sort by, so no numbers are
 * formatted here. Without this script the page shows the table of changed functions, which is also what is printed. */
"use strict";

(() => {
	/* More rows take their time to lay out. */
	const ROWS_AT_ONCE = 500;
	const CLASSES = { "+": "more", "-": "less", ".": "noise" };

	const find = (id) => document.getElementById(id);
	const data = JSON.parse(find("data").textContent);
	/* Others ran in neither build. */
	const listed = data.rows.filter((row) => !row.unlisted);
	const table = find("functions");
	const body = table.tBodies[0];
	const heads = [...table.tHead.rows[0].cells];
	const printed = [...body.rows];
	const collator = new Intl.Collator("en", { numeric: true });

	/* column is an index of heads; null: by effect, which is the order of the data. */
	const view = { column: null, isDescending: true, limit: ROWS_AT_ONCE };

	function element(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);
		made.append(...children);
		return made;
	}

	/* --- Rows of both tables */

	function bar([interval, arrows, estimate, label]) {
		const svg = find("bar").content.firstElementChild.cloneNode(true);
		svg.querySelector("title").textContent = label;
		svg.querySelector(".interval").setAttribute("d", interval);
		svg.querySelector(".arrows").setAttribute("d", arrows);
		svg.querySelector(".estimate").setAttribute("d", estimate);
		return svg;
	}

	/* content is a text, a text with its tooltip, or the parts of a bar. */
	function cell(content, mark) {
		const parts = [content].flat();
		const made = element("td", { className: CLASSES[mark] ?? "" }, parts.length > 2 ? bar(parts) : parts[0]);
		if (parts.length === 2)
			made.title = parts[1];
		return made;
	}

	function nameCell(row) {
		const link = element("a", { href: `#f=${row.id}` }, row.name);
		const note = element("span", { className: "note" }, row.note);
		return element("th", { scope: "row" }, link, row.note === "" ? "" : " ", note);
	}

	function tableRow(row, cells, marks) {
		const isChanged = [...marks].some((mark) => mark === "+" || mark === "-");
		const made = element("tr", { className: isChanged ? "" : "noise" }, nameCell(row));
		made.append(...cells.map((content, i) => cell(content, marks[i])));
		return made;
	}

	/* --- Which functions are shown, and in which order */

	/* The expression that names and notes have to match; null: the input is not a regular expression. */
	function matcher(typed) {
		const expression = /^\/(.+)\/$/.exec(typed);
		if (expression === null) {
			const wanted = typed.toLowerCase();
			return (text) => text.toLowerCase().includes(wanted);
		}
		try {
			const wanted = new RegExp(expression[1], "iu");
			return (text) => wanted.test(text);
		} catch {
			return null;
		}
	}

	/* Keys are numbers; null, what there is none of, comes last in either order. */
	function compareKeys(a, b) {
		if (a === null || b === null)
			return (a === null) - (b === null);
		return view.isDescending ? Number(b > a) - Number(b < a) : Number(a > b) - Number(a < b);
	}

	function compareRows(a, b) {
		if (view.column > 0)
			return compareKeys(a.keys[view.column - 1], b.keys[view.column - 1]);
		return view.isDescending ? collator.compare(b.name, a.name) : collator.compare(a.name, b.name);
	}

	function chosenRows(matches) {
		const inNoise = find("noise").checked;
		const rows = listed.filter(
			(row) => (row.id < data.changed || inNoise) && (matches(row.name) || matches(row.note)),
		);
		return view.column === null ? rows : rows.sort(compareRows);
	}

	function show() {
		const matches = matcher(find("search").value);
		find("search").setAttribute("aria-invalid", String(matches === null));
		if (matches === null)
			return;
		const rows = chosenRows(matches);
		const shown = rows.slice(0, view.limit);
		body.replaceChildren(...shown.map((row) => tableRow(row, row.cells, row.marks)));
		find("more").hidden = shown.length === rows.length;
		const counts = [shown.length, rows.length, data.changed, listed.length];
		const [part, all, changed, total] = counts.map((count) => count.toLocaleString("en"));
		find("count").textContent = `${part} of ${all} shown; ${changed} of ${total} functions changed`;
	}

	function showAnew() {
		view.limit = ROWS_AT_ONCE;
		show();
	}

	/* A column's own order, then the other way round, then by effect again. Names begin with the first, numbers with the
	 * largest. */
	function sortBy(column) {
		const isFirstDescending = column > 0;
		if (view.column !== column)
			Object.assign(view, { column, isDescending: isFirstDescending });
		else if (view.isDescending === isFirstDescending)
			view.isDescending = !isFirstDescending;
		else
			view.column = null;
		heads.forEach((head, i) => {
			const order = view.isDescending ? "descending" : "ascending";
			head.setAttribute("aria-sort", i === view.column ? order : "none");
		});
		showAnew();
	}

	/* --- A function's neighbourhood, at the page's address #f=ID */

	/* Rows of arcs, those with most time first; other: at which end of the arc its function is. */
	function arcRows(arcs, other) {
		const shown = arcs.sort((a, b) => b.time - a.time).slice(0, ROWS_AT_ONCE);
		const rows = shown.map((arc) => tableRow(data.rows[arc[other]], arc.cells, arc.marks));
		const rest = `and ${(arcs.length - shown.length).toLocaleString("en")} more`;
		if (shown.length < arcs.length)
			rows.push(element("tr", {}, element("th", { scope: "row" }, rest)));
		return rows;
	}

	/* A function that calls itself is among its callees only. */
	function fillNeighbourhood(row) {
		const callers = data.arcs.filter((arc) => arc.callee === row.id && arc.caller !== row.id);
		const callees = data.arcs.filter((arc) => arc.caller === row.id);
		const pick = (list) => data.arc_columns.map((column) => list[column]);
		const head = find("neighbourhood").querySelector("thead");
		const titles = [heads[0], ...pick(heads.slice(1))].map((from) => from.textContent);
		head.replaceChildren(element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title))));
		find("neighbour").textContent = row.name;
		find("callers").replaceChildren(...arcRows(callers, "caller").reverse());
		find("itself").replaceChildren(tableRow(row, pick(row.cells), pick(row.marks)));
		find("callees").replaceChildren(...arcRows(callees, "callee"));
	}

	function walk() {
		const id = /^#f=(\d+)$/.exec(location.hash)?.[1];
		const row = id === undefined ? undefined : data.rows[id];
		find("neighbourhood").hidden = row === undefined;
		if (row === undefined)
			return;
		fillNeighbourhood(row);
		find("neighbour").focus();
	}

	/* --- The page comes to life */

	data.rows.forEach((row, id) => {
		row.id = id;
	});
	heads.forEach((head, column) => {
		const button = element("button", { type: "button", onclick: () => sortBy(column) }, ...head.childNodes);
		head.setAttribute("aria-sort", "none");
		head.append(button);
	});
	find("search").addEventListener("input", showAnew);
	find("noise").addEventListener("change", showAnew);
	find("more").addEventListener("click", () => {
		view.limit += ROWS_AT_ONCE;
		show();
	});
	addEventListener("beforeprint", () => body.replaceChildren(...printed));
	addEventListener("afterprint", show);
	addEventListener("hashchange", walk);
	document.body.className = "live";
	show();
	walk();
})();
