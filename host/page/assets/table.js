/* SPDX-License-Identifier: MIT */
/* The table of functions: sorting, searching, and showing more rows. */

/* Orders names ignoring case, and numbers in them by value. Intl.Collator would take a second for 20,000 names. */
function nameKey(row) {
	row.nameKey ??= row.name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
	return row.nameKey;
}

/* columns: title (a node), key(row) (a number, a text, or null for none), cell(row) (an element). The first
 * column is the name. rows(): all rows, in their own order. count(shown, chosen): the text that says how many of
 * the chosen rows are shown. */
function makeTable({ table, columns, rows, matches, count }) {
	const body = table.tBodies[0];
	/* column is an index; null: in the order of the rows. */
	const view = { column: null, isDescending: true, limit: ROWS_AT_ONCE };

	/* Keys that are null come last in either order. */
	function compareKeys(a, b) {
		if (a === null || b === null)
			return (a === null) - (b === null);
		const order = Number(a > b) - Number(a < b);
		return view.isDescending ? -order : order;
	}

	function chosenRows(isMatch) {
		const chosen = rows().filter((row) => matches(row, isMatch));
		if (view.column === null)
			return chosen;
		const { key } = columns[view.column];
		const keyed = chosen.map((row) => ({ row, key: key(row) }));
		return keyed.sort((a, b) => compareKeys(a.key, b.key)).map(({ row }) => row);
	}

	function show() {
		const isMatch = matcher(find("search").value);
		find("search").setAttribute("aria-invalid", String(isMatch === null));
		if (isMatch === null)
			return;
		const chosen = chosenRows(isMatch);
		const shown = chosen.slice(0, view.limit);
		body.replaceChildren(...shown.map((row) => tableRow(row, columns)));
		find("more").hidden = shown.length === chosen.length;
		find("count").textContent = count(shown.length, chosen);
	}

	function showAnew() {
		view.limit = ROWS_AT_ONCE;
		show();
	}

	/* Cycles through a column's usual order, its reverse, and the rows' own order. The usual order is ascending for names,
	 * descending for numbers. */
	function sortBy(column) {
		const isFirstDescending = column > 0;
		if (view.column !== column)
			Object.assign(view, { column, isDescending: isFirstDescending });
		else if (view.isDescending === isFirstDescending)
			view.isDescending = !isFirstDescending;
		else
			view.column = null;
		[...table.tHead.rows[0].cells].forEach((head, i) => {
			const order = view.isDescending ? "descending" : "ascending";
			head.setAttribute("aria-sort", i === view.column ? order : "none");
		});
		showAnew();
	}

	const heads = columns.map(({ title }, column) => {
		const button = element("button", { type: "button", onclick: () => sortBy(column) }, ...title.childNodes);
		return element("th", { scope: "col", ariaSort: "none" }, button);
	});
	table.tHead.rows[0].replaceChildren(...heads);
	find("more").addEventListener("click", () => {
		view.limit += ROWS_AT_ONCE;
		show();
	});
	return { show, showAnew };
}

function tableRow(row, columns) {
	const isWithinNoise = row.isWithinNoise ?? false;
	return element("tr", { className: isWithinNoise ? "noise" : "" }, ...columns.map(({ cell }) => cell(row)));
}

/* The cell of a function's name, a link to its neighbourhood. */
function nameCell(row) {
	const link = element("a", { href: `#f=${row.id}` }, row.name);
	const inner = row.noteId === undefined ? row.note : element("a", { href: `#f=${row.noteId}` }, row.note);
	const note = element("span", { className: "note" }, inner);
	return element("th", { scope: "row" }, link, row.note === "" ? "" : " ", note);
}
