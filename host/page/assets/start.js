/* SPDX-License-Identifier: MIT */
/* Starts the page once all its parts are defined. */

const page = {};
page.mode = data.kind === "profile" ? makeProfile() : makeComparison();
{
	const printed = [...find("functions").tBodies[0].rows];

	document.body.classList.add("live", data.kind);
	/* Must precede the table, which moves the titles. */
	page.neighbourhood = makeNeighbourhood(page.mode);
	page.table = makeTable({ table: find("functions"), ...page.mode });
	find("search").addEventListener("input", page.table.showAnew);
	if (printed.length > 0) {
		addEventListener("beforeprint", () => find("functions").tBodies[0].replaceChildren(...printed));
		addEventListener("afterprint", page.table.show);
	}
	page.table.show();
	page.neighbourhood.walk();
	page.mode.start?.();
}
