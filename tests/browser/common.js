/* SPDX-License-Identifier: MIT */
/* Appended to a page before inspect.js or inspect_profile.js: the findings, and what a reader types. */
"use strict";

const results = [];

function expect(name, actual, expected) {
	const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
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

/* The middle of a frame on the screen. */
function click(canvas, frame, type) {
	const event = new MouseEvent(type);
	Object.defineProperty(event, "offsetX", { value: frame.x + frame.width / 2 });
	Object.defineProperty(event, "offsetY", { value: frame.y + FRAME_HEIGHT / 2 });
	canvas.dispatchEvent(event);
}

/* The limit is far above the normal time: only quadratic growth exceeds it. */
function expectSoon(name, work) {
	const start = performance.now();
	work();
	const seconds = (performance.now() - start) / 1000;
	results.push(seconds < 20 ? `ok ${name}` : `not ok ${name}: it took ${seconds} s`);
}

/* Replaces the page by the findings of inspect(). */
function report(inspect) {
	try {
		inspect();
	} catch (error) {
		results.push(`not ok inspection: ${error.stack.replaceAll("\n", " ")}`);
	}
	document.body.replaceChildren(`\n${results.join("\n")}\n`);
}
