/* SPDX-License-Identifier: MIT */
/* A function with its callers and callees, shown for the address #f=ID or #name=NAME. */

function makeNeighbourhood(mode) {
	const place = find("neighbourhood");
	const titles = mode.aroundColumns.map(({ title }) => element("th", { scope: "col" }, title.textContent));

	/* The rows with the most time first. */
	function shownRows(rows) {
		const shown = rows.sort((a, b) => b.time - a.time).slice(0, ROWS_AT_ONCE);
		const made = shown.map((row) => tableRow(row, mode.aroundColumns));
		const rest = `and ${grouped(rows.length - shown.length)} more`;
		if (shown.length < rows.length)
			made.push(element("tr", {}, element("th", { scope: "row" }, rest)));
		return made;
	}

	function fill(row) {
		const { itself, callers, callees } = mode.around(row);
		find("neighbour").textContent = row.name;
		find("callers").replaceChildren(...shownRows(callers).reverse());
		find("itself").replaceChildren(...itself.map((member) => tableRow(member, mode.aroundColumns)));
		find("callees").replaceChildren(...shownRows(callees));
		mode.fillNeighbourhood?.(row);
	}

	/* Undoes the browser's escapes. An address typed by hand may contain a plain %. */
	function nameOf(text) {
		try {
			return decodeURIComponent(text);
		} catch {
			return text;
		}
	}

	/* The row that the address names. */
	function chosen() {
		const id = /^#f=(\d+)$/.exec(location.hash)?.[1];
		if (id !== undefined)
			return mode.row(id);
		return location.hash.startsWith("#name=") ? mode.named(nameOf(location.hash.slice(6))) : undefined;
	}

	function show() {
		const row = chosen();
		place.hidden = row === undefined;
		if (row !== undefined)
			fill(row);
	}

	function walk() {
		show();
		if (!place.hidden)
			find("neighbour").focus();
	}

	place.querySelector("thead").replaceChildren(element("tr", {}, ...titles));
	addEventListener("hashchange", () => {
		walk();
		if (!place.hidden)
			place.scrollIntoView();
	});
	return { show, walk };
}
