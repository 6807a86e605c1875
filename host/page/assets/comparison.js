/* SPDX-License-Identifier: MIT */
/* The page of two builds. Every cell comes as text with a key to sort by, so no numbers are formatted here. */

function makeComparison() {
	const CLASSES = { "+": "more", "-": "less", ".": "noise" };
	const isChanged = (marks) => [...marks].some((mark) => mark === "+" || mark === "-");
	const heads = [...find("functions").tHead.rows[0].cells];

	data.rows.forEach((row, id) => {
		Object.assign(row, { id, isWithinNoise: !isChanged(row.marks) });
	});
	/* Others ran in neither build. */
	const listed = data.rows.filter((row) => !row.unlisted);

	function bar([interval, arrows, estimate, label]) {
		const svg = find("bar").content.firstElementChild.cloneNode(true);
		svg.querySelector("title").textContent = label;
		svg.querySelector(".interval").setAttribute("d", interval);
		svg.querySelector(".arrows").setAttribute("d", arrows);
		svg.querySelector(".estimate").setAttribute("d", estimate);
		return svg;
	}

	/* content is a text, a text with its tooltip, or the parts of a bar. */
	function cellOf(content, mark) {
		const parts = [content].flat();
		const made = element("td", { className: CLASSES[mark] ?? "" }, parts.length > 2 ? bar(parts) : parts[0]);
		if (parts.length === 2)
			made.title = parts[1];
		return made;
	}

	const columns = heads.map((title, i) => ({
		title,
		key: i === 0 ? (row) => sortKey(row.name) : (row) => row.keys[i - 1],
		cell: i === 0 ? nameCell : (row) => cellOf(row.cells[i - 1], row.marks[i - 1]),
	}));

	/* A row of an arc names the function at its other end. */
	function arcRow(arc, other) {
		const { id, name, note } = data.rows[arc[other]];
		return { id, name, note, time: arc.time, cells: arc.cells, marks: arc.marks, isWithinNoise: !isChanged(arc.marks) };
	}

	/* A function that calls itself is among its callees only. */
	function around(row) {
		const pick = (list) => data.arc_columns.map((column) => list[column]);
		return {
			itself: { ...row, cells: pick(row.cells), marks: pick(row.marks) },
			callers: data.arcs.filter((arc) => arc.callee === row.id && arc.caller !== row.id).map((arc) => arcRow(arc, "caller")),
			callees: data.arcs.filter((arc) => arc.caller === row.id).map((arc) => arcRow(arc, "callee")),
		};
	}

	function count(shown, all) {
		const [part, chosen, changed, total] = [shown, all, data.changed, listed.length].map(grouped);
		return `${part} of ${chosen} shown; ${changed} of ${total} functions changed`;
	}

	find("noise").addEventListener("change", () => page.table.showAnew());
	return {
		columns,
		rows: () => listed.filter((row) => row.id < data.changed || find("noise").checked),
		row: (id) => data.rows[id],
		matches: (row, isMatch) => isMatch(row.name) || isMatch(row.note),
		count,
		around,
		aroundColumns: [columns[0], ...data.arc_columns.map((column, i) => ({
			title: heads[column + 1],
			cell: (row) => cellOf(row.cells[i], row.marks[i]),
		}))],
	};
}
