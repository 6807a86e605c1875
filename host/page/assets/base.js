/* SPDX-License-Identifier: MIT */
/* Functions that all parts of the page use. The files are one script, in the order of page.mk; without it, the page shows the
 * text that it contains, which is also what is printed. */
"use strict";

/* More rows take their time to lay out. */
const ROWS_AT_ONCE = 100;

const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

function element(name, properties, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/* The expression that names and notes have to match; null: the input is not a regular expression. */
function matcher(typed) {
	if (typed === "")
		return () => true;
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

const grouped = new Intl.NumberFormat("en").format;
