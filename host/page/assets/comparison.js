/* SPDX-License-Identifier: MIT */
/* The page of two builds. Each cell comes as text with a key to sort by, so no numbers are formatted here. */

function makeComparison() {
	const CLASSES = { "+": "more", "-": "less", ".": "noise" };
	const isChanged = (marks) => [...marks].some((mark) => mark === "+" || mark === "-");
	const heads = [...find("functions").tHead.rows[0].cells];

	data.rows.forEach((row, id) => {
		Object.assign(row, { id, isWithinNoise: !isChanged(row.marks) });
	});
	/* Unlisted functions ran in neither build. */
	const listed = data.rows.filter((row) => !row.unlisted);

	function bar([interval, arrows, estimate, label]) {
		const svg = find("bar").content.firstElementChild.cloneNode(true);
		svg.querySelector("title").textContent = label;
		svg.querySelector(".interval").setAttribute("d", interval);
		svg.querySelector(".arrows").setAttribute("d", arrows);
		svg.querySelector(".estimate").setAttribute("d", estimate);
		return svg;
	}

	/* content is a text, a text and its tooltip, or the parts of a bar. */
	function cellOf(content, mark) {
		const parts = [content].flat();
		const made = element("td", { className: CLASSES[mark] ?? "" }, parts.length > 2 ? bar(parts) : parts[0]);
		if (parts.length === 2)
			made.title = parts[1];
		return made;
	}

	const columns = heads.map((title, i) => ({
		title,
		key: i === 0 ? nameKey : (row) => row.keys[i - 1],
		cell: i === 0 ? nameCell : (row) => cellOf(row.cells[i - 1], row.marks[i - 1]),
	}));

	/* A row of an arc names the function at its other end. */
	function arcRow(arc, other) {
		const { id, name, note } = data.rows[arc[other]];
		return { id, name, note, time: arc.time, cells: arc.cells, marks: arc.marks, isWithinNoise: !isChanged(arc.marks) };
	}

	/* A function that calls itself is listed only among its callees. */
	function around(row) {
		const pick = (list) => data.arc_columns.map((column) => list[column]);
		return {
			itself: [{ ...row, cells: pick(row.cells), marks: pick(row.marks) }],
			callers: data.arcs.filter((arc) => arc.callee === row.id && arc.caller !== row.id).map((arc) => arcRow(arc, "caller")),
			callees: data.arcs.filter((arc) => arc.caller === row.id).map((arc) => arcRow(arc, "callee")),
		};
	}

	function count(shown, chosen) {
		const [part, all, changed, total] = [shown, chosen.length, data.changed, listed.length].map(grouped);
		return `${part} of ${all} shown; ${changed} of ${total} functions changed`;
	}

	/* --- The flame graph: as wide as the time of one build, coloured by changes of self time. */

	const [OLD, NEW] = [0, 1];
	const nameOf = (id) => data.rows[id]?.name ?? "<more callers>";

	function treeOf(build) {
		const tree = new FrameTree();
		for (const [shared, old, now, ...rest] of data.paths)
			tree.addNext(shared, rest, build === OLD ? old : now, build === OLD ? now : old);
		return tree.complete();
	}

	function palette() {
		const [more, less, other] = ["--frame-more", "--frame-less", "--recorder"].map(colourOf);
		const byMark = { "+": more, "-": less };
		return (id) => byMark[data.rows[id]?.self] ?? other;
	}

	/* The counting error of samples or stacks. It is larger if one stack counts as several samples. */
	const withError = (samples, build) => `${grouped(samples)} \u00b1 ${grouped(Math.round(CONFIDENCE * Math.sqrt(samples * data.sample_weights[build])))}`;

	let build = NEW;
	const flame = makeMainFlame({
		name: nameOf,
		palette,
		isFaint: (samples) => samples < 4 * data.sample_weights[build],
		describe(tree, frame) {
			const counts = [tree.times[frame], tree.others[frame]];
			const [before, after] = (build === OLD ? counts : counts.reverse()).map(withError);
			const words = { "+": "more self time", "-": "less self time" };
			return `${nameOf(tree.functions[frame])}: ${before} samples, then ${after} (95 % confidence); ${words[data.rows[tree.functions[frame]]?.self] ?? "no significant change of self time"}`;
		},
	});

	function showBuild() {
		build = Number(find("view").value);
		find("graph").hidden = data.paths.length === 0;
		flame.show(treeOf(build));
	}

	find("view").replaceChildren(element("option", { value: NEW }, "the new build"), element("option", { value: OLD }, "the old build"));
	find("view").addEventListener("change", showBuild);
	find("paths-text").textContent = `${sentence(data.paths_text)}. The new build's samples are scaled to the work of the old build. Coloured: significant changes of self time. Faint: fewer than 4 ${data.is_measured ? "stacks" : "samples"}.`;
	find("noise").addEventListener("change", () => page.table.showAnew());
	return {
		columns,
		start: showBuild,
		flame,
		rows: () => listed.filter((row) => row.id < data.changed || find("noise").checked),
		row: (id) => data.rows[id],
		named: (name) => listed.find((row) => row.name === name),
		matches: (row, isMatch) => isMatch(row.name) || isMatch(row.note),
		count,
		around,
		aroundColumns: [columns[0], ...data.arc_columns.map((column, i) => ({
			title: heads[column + 1],
			cell: (row) => cellOf(row.cells[i], row.marks[i]),
		}))],
	};
}
