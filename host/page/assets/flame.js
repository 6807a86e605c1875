/* SPDX-License-Identifier: MIT */
/* Flame graphs on a canvas. A frame is as wide as its time. Only frames wide enough to see are visited, so large trees are drawn
 * as fast as small ones. */

const FRAME_HEIGHT = 20;
/* Narrower frames are not drawn, nor are the frames below them. */
const FRAME_MIN = 0.7;
/* Narrower frames have no text. */
const TEXT_MIN = 28;

/* A tree of frames, as arrays by frame: its function, its parent, its time including its children, this time in the other build,
 * its first child and next sibling (0: none). Frame 0 is the root, without a function. A frame comes after its parent. */
class FrameTree {
	constructor() {
		this.functions = [-1];
		this.parents = [0];
		this.times = [0];
		this.others = [0];
		this.children = [0];
		this.siblings = [0];
		this.sorted = new Set();
		this.index = new Map();
		this.path = [0];
	}

	make(parent, func) {
		const frame = this.functions.length;
		this.functions.push(func);
		this.parents.push(parent);
		this.times.push(0);
		this.others.push(0);
		this.children.push(0);
		this.siblings.push(this.children[parent]);
		this.children[parent] = frame;
		return frame;
	}

	/* Adds a path. Paths come depth first: each shares this many frames with the previous path, and its other frames are new. */
	addNext(shared, functions, time, other = 0) {
		const { path } = this;
		path.length = shared + 1;
		for (const func of functions)
			path.push(this.make(path.at(-1), func));
		this.times[path.at(-1)] += time;
		this.others[path.at(-1)] += other;
	}

	/* The child of a frame with this function, for paths that come in any order. */
	child(parent, func) {
		const key = parent * 0x1000000 + func;
		let frame = this.index.get(key);
		if (frame === undefined) {
			frame = this.make(parent, func);
			this.index.set(key, frame);
		}
		return frame;
	}

	/* Adds the path from a frame of another tree to that tree's root; the frame becomes the outermost one. */
	addInverted(other, start) {
		let frame = 0;
		for (let i = start; i !== 0; i = other.parents[i])
			frame = this.child(frame, other.functions[i]);
		this.times[frame] += other.times[start];
	}

	/* Adds a frame of another tree with all its descendants. */
	addAbove(other, start) {
		const pending = [[start, this.child(0, other.functions[start])]];
		while (pending.length > 0) {
			const [from, to] = pending.pop();
			let own = other.times[from];
			for (let i = other.children[from]; i !== 0; i = other.siblings[i]) {
				own -= other.times[i];
				pending.push([i, this.child(to, other.functions[i])]);
			}
			this.times[to] += own;
		}
	}

	/* Must be called after all paths are added. */
	complete() {
		for (let frame = this.times.length - 1; frame > 0; frame--) {
			this.times[this.parents[frame]] += this.times[frame];
			this.others[this.parents[frame]] += this.others[frame];
		}
		this.index = null;
		return this;
	}

	/* The child with the most time. Children are sorted when they are first needed. */
	firstChild(parent) {
		if (this.sorted.has(parent))
			return this.children[parent];
		const family = [];
		for (let frame = this.children[parent]; frame !== 0; frame = this.siblings[frame])
			family.push(frame);
		family.sort((a, b) => this.times[b] - this.times[a]);
		family.forEach((frame, i) => {
			this.siblings[frame] = family[i + 1] ?? 0;
		});
		this.children[parent] = family[0] ?? 0;
		this.sorted.add(parent);
		return this.children[parent];
	}
}

/* look: name(func); palette(), called once per drawing, returns a function from a function to its colour; isFaint(time);
 * isGuess(func), optional: whether the frames of a function are dashed; describe(tree, frame) returns a text. status: the element
 * for the description of the chosen frame. The search marks frames. */
function makeFlame(canvas, status, look) {
	const pen = canvas.getContext("2d");
	let isMatch = null;
	const view = { tree: new FrameTree(), zoomed: 0, chosen: 0, isUpwards: false };
	let drawn = [];

	/* Frames that are wide enough to draw. The path to the zoomed frame has full width. */
	function place(width) {
		const { tree, zoomed } = view;
		const placed = [];
		const path = [];
		for (let i = zoomed; i !== 0; i = tree.parents[i])
			path.unshift(i);
		path.forEach((frame, row) => placed.push({ frame, row, x: 0, width }));
		const scale = tree.times[zoomed] > 0 ? width / tree.times[zoomed] : 0;
		const pending = [{ frame: zoomed, row: path.length, x: 0 }];
		while (pending.length > 0) {
			const { frame, row, x } = pending.pop();
			let left = x;
			for (let i = tree.firstChild(frame); i !== 0; i = tree.siblings[i]) {
				const span = tree.times[i] * scale;
				if (span < FRAME_MIN)
					break;
				placed.push({ frame: i, row, x: left, width: span });
				pending.push({ frame: i, row: row + 1, x: left });
				left += span;
			}
		}
		return placed;
	}

	/* Measuring takes longer than drawing. */
	const widths = new Map();
	function widthOf(text) {
		if (!widths.has(text))
			widths.set(text, pen.measureText(text).width);
		return widths.get(text);
	}

	/* Long names often begin alike, so more of the end is kept. */
	function fit(text, width) {
		const whole = widthOf(text);
		if (whole <= width)
			return text;
		let kept = Math.floor((text.length * width) / whole);
		for (; kept > 0; kept--) {
			const begin = Math.floor(kept / 3);
			const short = `${text.slice(0, begin)}\u2026${text.slice(text.length - kept + begin)}`;
			if (pen.measureText(short).width <= width)
				return short;
		}
		return "";
	}

	/* Marks frames whose callers are a guess. */
	function underline(x, y, width, colours) {
		pen.strokeStyle = colours.ink;
		pen.lineWidth = 1;
		pen.setLineDash([3, 3]);
		pen.beginPath();
		pen.moveTo(x, y + FRAME_HEIGHT - 2.5);
		pen.lineTo(x + Math.max(width - 1, 0.5), y + FRAME_HEIGHT - 2.5);
		pen.stroke();
		pen.setLineDash([]);
	}

	function paint({ frame, x, y, width }, colours) {
		const func = view.tree.functions[frame];
		pen.globalAlpha = look.isFaint(view.tree.times[frame]) ? 0.35 : 1;
		pen.fillStyle = isMatch?.(look.name(func)) ? colours.match : colours.frame(func);
		pen.fillRect(x, y, Math.max(width - 1, 0.5), FRAME_HEIGHT - 1);
		if (width >= TEXT_MIN) {
			pen.globalAlpha = 1;
			pen.fillStyle = colours.text;
			pen.fillText(fit(look.name(func), width - 6), x + 4, y + FRAME_HEIGHT / 2);
		}
		pen.globalAlpha = 1;
		if (look.isGuess?.(func))
			underline(x, y, width, colours);
		if (frame === view.chosen) {
			pen.strokeStyle = colours.ink;
			pen.lineWidth = 2;
			pen.strokeRect(x + 1, y + 1, Math.max(width - 3, 1), FRAME_HEIGHT - 3);
		}
	}

	function draw() {
		const width = canvas.clientWidth;
		if (width === 0)
			return;
		const placed = place(width);
		const rows = placed.reduce((max, { row }) => Math.max(max, row + 1), 1);
		const height = rows * FRAME_HEIGHT;
		const ratio = devicePixelRatio;
		canvas.style.height = `${height}px`;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
		pen.textBaseline = "middle";
		drawn = placed.map((frame) => ({ ...frame, y: (view.isUpwards ? rows - 1 - frame.row : frame.row) * FRAME_HEIGHT }));
		const [text, ink, match] = ["--frame-text", "--ink", "--match"].map(colourOf);
		const colours = { text, ink, match, frame: look.palette() };
		for (const frame of drawn)
			paint(frame, colours);
	}

	function choose(frame) {
		view.chosen = frame;
		status.textContent = frame === 0 ? "" : look.describe(view.tree, frame);
		draw();
	}

	function zoom(frame) {
		view.zoomed = frame;
		choose(frame);
	}

	function frameAt(event) {
		const [x, y] = [event.offsetX, event.offsetY];
		const found = drawn.find((frame) => x >= frame.x && x < frame.x + frame.width && y >= frame.y && y < frame.y + FRAME_HEIGHT);
		return found?.frame ?? 0;
	}

	/* The previous sibling, or 0. */
	function before(frame) {
		const { tree } = view;
		let i = tree.firstChild(tree.parents[frame]);
		while (i !== 0 && tree.siblings[i] !== frame)
			i = tree.siblings[i];
		return i;
	}

	function step(key) {
		const { tree, chosen } = view;
		const outwards = view.isUpwards ? "ArrowDown" : "ArrowUp";
		if (chosen === 0)
			return tree.firstChild(view.zoomed);
		switch (key) {
			case "ArrowLeft": return before(chosen);
			case "ArrowRight": return tree.siblings[chosen];
			case outwards: return tree.parents[chosen];
			default: return tree.firstChild(chosen);
		}
	}

	function open(frame) {
		if (frame !== 0)
			location.hash = `#f=${view.tree.functions[frame]}`;
	}

	function press(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key.startsWith("Arrow")) {
			const next = step(event.key);
			if (next !== 0)
				choose(next);
		} else if (event.key === "Enter") {
			zoom(view.chosen);
		} else if (event.key === "Escape") {
			zoom(view.tree.parents[view.zoomed]);
		} else if (event.key === " ") {
			open(view.chosen);
		} else {
			return;
		}
		event.preventDefault();
	}

	canvas.addEventListener("click", (event) => zoom(frameAt(event)));
	canvas.addEventListener("dblclick", (event) => open(frameAt(event)));
	canvas.addEventListener("mousemove", (event) => {
		const frame = frameAt(event);
		canvas.title = frame === 0 ? "" : look.describe(view.tree, frame);
		canvas.style.cursor = frame === 0 ? "default" : "pointer";
	});
	canvas.addEventListener("keydown", press);
	find("search").addEventListener("input", () => {
		isMatch = find("search").value === "" ? null : matcher(find("search").value);
		draw();
	});
	addEventListener("resize", draw);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

	return {
		draw,
		zoom,
		show(tree) {
			Object.assign(view, { tree, zoomed: 0, chosen: 0 });
			choose(0);
		},
		setUpwards(isUpwards) {
			view.isUpwards = isUpwards;
			draw();
		},
		get tree() {
			return view.tree;
		},
		get zoomed() {
			return view.zoomed;
		},
		get frames() {
			return drawn;
		},
	};
}

/* The graph of the whole page, with its controls. */
function makeMainFlame(look) {
	const flame = makeFlame(find("flame"), find("frame"), look);
	find("upwards").addEventListener("change", () => flame.setUpwards(find("upwards").checked));
	find("zoom-out").addEventListener("click", () => flame.zoom(0));
	return flame;
}
