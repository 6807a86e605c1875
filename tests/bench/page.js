/* SPDX-License-Identifier: MIT */
/* Appended to a page by page.sh: replaces it by lines "THING TIME ms". A time includes the layout. */
"use strict";

{
	const lines = [];

	function time(name, ...steps) {
		const times = steps.map((step) => {
			const start = performance.now();
			step();
			document.body.getBoundingClientRect();
			return performance.now() - start;
		});
		lines.push(`${name.padEnd(40)} ${Math.min(...times).toFixed(0).padStart(5)} ms`);
	}

	const three = (step) => [step, step, step];
	const { flame } = page.mode;
	const sort = (column) => () => find("functions").tHead.rows[0].cells[column].querySelector("button").click();
	const search = (typed) => () => {
		find("search").value = typed;
		find("search").dispatchEvent(new Event("input"));
	};
	const show = (id) => () => {
		location.hash = `#f=${id}`;
		page.neighbourhood.walk();
	};

	time("draw the flame graph", ...three(flame.draw));
	time("zoom", () => flame.zoom(flame.frames[1].frame), () => flame.zoom(flame.frames[2].frame), () => flame.zoom(0));
	time("sort by name", ...three(sort(0)));
	time("sort by total time", ...three(sort(5)));
	time("search a part of names", search("f1"), search("f19"), search("f199"));
	time("search an expression", search("/7$/"), search("/77$/"), search("/8$/"));
	time("end the search", search(""), search(""), search(""));
	time("show a function", show(10000), show(3), show(15000));
	time("turn the flame graph around", ...three(() => find("upwards").click()));
	document.body.replaceChildren(`\n${lines.join("\n")}\n`);
}
