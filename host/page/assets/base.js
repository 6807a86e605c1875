/* SPDX-License-Identifier: MIT */
/* Functions that all parts of the page use. page.mk joins the files into one script, in the order of its list. Without scripts,
 * and in print, the page shows the text that it contains. */
"use strict";

/* The browser takes noticeably long to lay out more rows. */
const ROWS_AT_ONCE = 100;

/* Half the width of a 95 % confidence interval, in standard errors. */
const CONFIDENCE = 1.96;

const find = (id) => document.getElementById(id);
const data = JSON.parse(find("data").textContent);

function element(name, properties, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/* The value of a variable of page.css. */
const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* A test for names and notes; null: the input is not a valid regular expression. */
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

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
