// A board that draws itself from a view (docs/http.md) and says which cell was clicked.
//
// It knows no rules, no server and no page, and imports nothing: the notebook shows the same file. The page and the
// notebook decide what a click means, and call `show` with what there is to see then.
//
// It is a grid as the W3C describes it: one cell is in the tab order, arrows, Home, End and Ctrl with these move
// between cells, Enter and Space are clicks. A mouse does not move the focus, so that arrows are for the board
// only for those who came to it by the keyboard.
//
//     ┌ columns ┐     under: frames, captures, lattice     All sizes are in units of a cell: the stage has the
//     rows  stage     cells: marks, values, focus          font size of one, and the drawings use the same units.
//                     over:  winning lines

const CELL = 100; // of the drawings; 1em of everything else
const HATCH = 25; // between the lines through a full board that neither side owns
const LABELLED = 5; // how many estimates are written on the board: the best; all are tinted
const MANY = 100; // cells: on larger boards only so many proofs, too, are written
const LEAST_RANGE = 0.1; // of scores from the palest to the strongest tint, so that nearly equal moves look so
const STEPS = 20; // of tints
/** How wide cells are at least, in pixels, by how a value fits into them: in words, on a label, in two lines.
 * @type {[number, string][]} */
const SIZES = [
  [64, "large"],
  [40, "medium"],
  [20, "small"],
];
const GAP = 40; // between the boards of Ultimate, and above them, for their letters

/** @typedef {import("../state/game.js").Cell} Cell */
/** @typedef {import("../state/game.js").MoveValue} MoveValue */
/** @typedef {import("../state/game.js").SmallBoard} SmallBoard */
/** @typedef {import("../state/game.js").Sums} Sums */
/** @typedef {import("../state/game.js").View} View */

/** What is drawn beside the view.
 * @typedef {object} Options
 * @property {Record<string, MoveValue> | null} [values] by the name of a cell
 * @property {string[]} [best] the best moves
 * @property {string[]} [hint] cells to look at
 * @property {string[]} [marked] cells that are looked at
 * @property {string[]} [preview] cells that show the mark of the side to move, as under the mouse
 * @property {string[]} [guilty] cells that break a rule
 * @property {string} [label] of the whole board
 */

/** The same, prepared for drawing all cells: `labelled` are the values to be written, `heat` says how strongly a cell is
 * tinted, from 0 to 1, and `onLine` are the cells of winning lines.
 * @typedef {object} Seen
 * @property {Set<string>} legal
 * @property {Set<string>} onLine
 * @property {Record<string, MoveValue>} values
 * @property {Set<string>} labelled
 * @property {(value: MoveValue) => number} heat
 * @property {Set<string>} best
 * @property {Set<string>} hint
 * @property {Set<string>} marked
 * @property {Set<string>} preview
 * @property {Set<string>} guilty
 */

/** What was built for a shape of board; `sums` are the counters around it, by name.
 * @typedef {{shape: string, stage: HTMLElement, cells: HTMLElement[], sums: Record<string, HTMLElement[]>, grid: Element, under: Element, over: Element, units: number, ratio: number}} Parts */

/**
 * Make an element a board. Return {show(view, options), focus(), units, ratio}.
 * @param {HTMLElement} element
 * @param {{onMove: (name: string) => unknown}} events `onMove` gets the name of a cell that was clicked, legal or not
 */
export function createBoard(element, { onMove }) {
  /** @type {View} */
  let view;
  /** @type {Parts} */
  let parts;
  let current = 0; // the cell in the tab order
  const resized = new ResizeObserver(() => {
    const side = parts.cells[0].offsetWidth;
    element.dataset.size = SIZES.find(([least]) => side >= least)?.[1] ?? "tiny";
  });

  /**
   * Draw a view.
   * @param {View} next
   * @param {Options} options
   */
  function show(next, options = {}) {
    const { values = {}, best = [], hint = [], marked = [], preview = [], guilty = [], label = "" } = options;
    const shape = `${next.kind} ${next.rows} ${next.cols} ${next.cells[0].name} ${next.sums ? "sums" : ""}`;
    if (parts?.shape !== shape) {
      const hadFocus = element.contains(document.activeElement);
      parts = build(element, next, shape);
      resized.disconnect();
      resized.observe(parts.stage);
      current = Math.min(Math.floor(next.rows / 2) * next.cols + Math.floor(next.cols / 2), next.cells.length - 1);
      rove(current);
      if (hadFocus) parts.cells[current]?.focus();
    }
    view = next;
    const legal = new Set(next.legal);
    const onLine = new Set(next.kind === "grid" ? (next.outcome?.lines.flat() ?? []) : []);
    const sets = { hint: new Set(hint), marked: new Set(marked), preview: new Set(preview), guilty: new Set(guilty) };
    const seen = { legal, onLine, ...worthOf(next, values ?? {}, best), ...sets };
    for (const [index, cell] of next.cells.entries()) drawCell(parts.cells[index], cell, next, seen);
    element.dataset.turn = next.turn;
    parts.grid.setAttribute("aria-label", label || `${next.name} board`);
    drawUnder(parts, next);
    drawOver(parts.over, next);
    if (next.sums) drawSums(parts.sums, next.sums, next.cols);
  }

  /**
   * Make a cell the one in the tab order.
   * @param {number} index
   */
  function rove(index) {
    parts.cells[current].tabIndex = -1;
    current = index;
    parts.cells[current].tabIndex = 0;
  }

  /**
   * Return the number of the cell where an event happened, or -1.
   * @param {Event} event
   */
  function indexOf({ target }) {
    const cell = target instanceof Element ? target.closest("[role=gridcell]") : null;
    return cell instanceof HTMLElement ? parts.cells.indexOf(cell) : -1;
  }

  element.addEventListener("mousedown", (event) => {
    if (indexOf(event) >= 0) event.preventDefault(); // keeps the focus where it is
  });

  element.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index < 0) return;
    if (event.detail > 1 && !view.legal.includes(view.cells[index].name)) return; // a double click is one move
    rove(index);
    onMove(view.cells[index].name);
  });

  element.addEventListener("focusin", (event) => {
    const index = indexOf(event);
    if (index >= 0) rove(index);
  });

  element.addEventListener("keydown", (event) => {
    const index = indexOf(event);
    if (index < 0 || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) onMove(view.cells[index].name);
      return;
    }
    const to = destination(event, index, view);
    if (to === null) return;
    event.preventDefault();
    rove(to);
    parts.cells[to].focus();
  });

  return {
    show,
    focus: () => parts?.cells[current].focus(),
    /** How many cells would stand side by side in its width. */
    get units() {
      return parts?.units ?? 3;
    },
    /** How much wider than high the board is. */
    get ratio() {
      return parts?.ratio ?? 1;
    },
  };
}

/**
 * Return the cell that a key leads to, or null if it is not a key of a grid.
 * @param {KeyboardEvent} event
 * @param {number} index
 * @param {View} view
 */
function destination({ key, ctrlKey }, index, { rows, cols }) {
  const row = Math.floor(index / cols);
  const col = index % cols;
  /** @type {Record<string, number>} */
  const ends = { Home: 0, End: rows * cols - 1 };
  if (ctrlKey) return ends[key] ?? null;
  /** @type {Record<string, [number, number]>} */
  const places = {
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    Home: [row, 0],
    End: [row, cols - 1],
  };
  if (!(key in places)) return null;
  const [r, c] = places[key];
  return Math.max(0, Math.min(r, rows - 1)) * cols + Math.max(0, Math.min(c, cols - 1));
}

/**
 * Return what is drawn of the values of moves, which come best first. Where all moves are equal, none is the best.
 * @param {View} view
 * @param {Record<string, MoveValue>} values
 * @param {string[]} best
 */
function worthOf({ cells }, values, best) {
  const entries = Object.entries(values);
  const isMany = cells.length > MANY;
  const labelled = entries.filter(([, { proved }], rank) => rank < LABELLED || (proved && !isMany));
  const scores = entries.map(([, { score }]) => score ?? 0);
  const top = Math.max(...scores);
  const range = Math.max(LEAST_RANGE, top - Math.min(...scores));
  const areEqual = new Set(entries.map(([, value]) => wordsOf(value))).size <= 1;
  return {
    values,
    labelled: new Set(labelled.map(([name]) => name)),
    heat: (/** @type {MoveValue} */ { score }) => Math.round(STEPS * (1 - (top - (score ?? 0)) / range)) / STEPS,
    best: new Set(areEqual ? [] : best),
  };
}

// -- building ---------------------------------------------------------------------------------------------

/**
 * Replace what is in the element by an empty board of this shape.
 * @param {HTMLElement} element
 * @param {View} view
 * @param {string} shape
 * @returns {Parts}
 */
function build(element, view, shape) {
  const isUltimate = view.kind === "ultimate";
  const [width, height] = [view.cols, view.rows].map((cells) => cells * CELL + (isUltimate ? 2 * GAP : 0));
  const top = isUltimate ? GAP : 0; // the letters of the topmost boards
  const box = `0 ${-top} ${width} ${height + top}`;

  const rows = Array.from({ length: view.rows }, () => make("div", { role: "row", class: "noughts-row" }));
  const cells = view.cells.map(({ name }, index) => {
    const cell = make("div", { role: "gridcell", class: "noughts-cell", tabindex: "-1", "data-name": name });
    rows[Math.floor(index / view.cols)].append(cell);
    return cell;
  });
  const grid = make("div", { role: "grid", class: "noughts-grid" }, ...rows);
  const [under, over] = ["noughts-under", "noughts-over"].map((name) =>
    draw("svg", { class: name, viewBox: box, "aria-hidden": "true" }),
  );
  const stage = make("div", { class: "noughts-stage" }, under, grid, over);
  const labels = isUltimate ? [] : coordinates(view);
  const sums = view.sums ? counters(view) : {};
  element.classList.add("noughts-board");
  element.dataset.kind = view.kind;
  element.dataset.dense = String(!isUltimate && view.cols > 12);
  const around = view.sums ? 1 : 0; // the counters take the room of a cell
  const units = width / CELL + around;
  element.style.setProperty("--units", String(units));
  const strips = Object.entries(sums).map(([name, each]) =>
    make("div", { class: `noughts-sums noughts-sums-${name}`, "aria-hidden": "true" }, ...each),
  );
  element.replaceChildren(make("div", { class: "noughts-table" }, ...labels, stage, ...strips));
  return { shape, stage, cells, sums, grid, under, over, units, ratio: units / ((height + top) / CELL + around) };
}

/**
 * Return the counters of rows, columns and diagonals, which stand at the ends of these.
 * @param {View} view
 */
function counters({ rows, cols }) {
  const emptySums = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => make("span", { class: "noughts-sum" }, make("small", {})));
  return { rows: emptySums(rows), cols: emptySums(cols), diagonal: emptySums(1), anti_diagonal: emptySums(1) };
}

/**
 * Write the counters.
 * @param {Record<string, HTMLElement[]>} elements
 * @param {Sums} sums
 * @param {number} goal the size that a counter of a full line has
 */
function drawSums(elements, sums, goal) {
  for (const [name, numbers] of Object.entries(sums)) {
    for (const [index, number] of numbers.entries()) {
      const element = elements[name][index];
      const text = `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(number)}`;
      const isChanged = element.textContent !== "" && element.textContent !== text;
      if (element.firstElementChild) element.firstElementChild.textContent = text;
      element.dataset.changed = String(isChanged);
      element.dataset.side = number > 0 ? "X" : number < 0 ? "O" : "";
      element.dataset.reached = String(Math.abs(number) === goal);
    }
  }
}

/**
 * Return the letters of the columns and the numbers of the rows.
 * @param {View} view
 */
function coordinates(view) {
  // A cell is b3 or, in lessons whose code counts from 0, 2,1.
  const colOf = (/** @type {string} */ name) => name.split(",")[1] ?? name.replace(/\d+/, "");
  const rowOf = (/** @type {string} */ name) => name.split(",")[0].replace(/\D+/, "");
  const cols = view.cells.slice(0, view.cols).map(({ name }) => colOf(name));
  const rows = Array.from({ length: view.rows }, (_, row) => rowOf(view.cells[row * view.cols].name));
  const strip = (/** @type {string} */ name, /** @type {string[]} */ labels) =>
    make(
      "div",
      { class: name, "aria-hidden": "true" },
      ...labels.map((label) => make("span", {}, make("small", {}, label))),
    );
  return [strip("noughts-columns", cols), strip("noughts-rows", rows)];
}

/** @type {WeakMap<Element, string>} what was drawn last, by cell */
const DRAWN = new WeakMap();

// -- cells ------------------------------------------------------------------------------------------------

/** What holds of a cell; each becomes a data attribute.
 * @typedef {Record<"last" | "legal" | "line" | "best" | "hint" | "marked" | "preview" | "guilty", boolean> & {mark: string, owner: string}} Flags */

/**
 * Draw a cell, unless it looks like this already.
 * @param {HTMLElement} element
 * @param {Cell} cell
 * @param {View} view
 * @param {Seen} seen
 */
function drawCell(element, cell, view, seen) {
  const { name, mark } = cell;
  const value = mark === "." ? seen.values[name] : undefined;
  const flags = {
    mark,
    last: view.last === name,
    legal: seen.legal.has(name),
    line: seen.onLine.has(name),
    owner: view.boards?.[cell.board ?? 0].owner ?? ".",
    best: seen.best.has(name),
    hint: seen.hint.has(name),
    marked: seen.marked.has(name),
    preview: seen.preview.has(name),
    guilty: seen.guilty.has(name),
  };
  const label = labelOf(cell, view, flags, value);
  const worth = value ? (value.proved ? value.value : "estimate") : "";
  const heat = value && worth === "estimate" ? seen.heat(value) : 0;
  const isLabelled = seen.labelled.has(name);
  const drawn = `${label} ${Object.values(flags).join()} ${worth} ${heat} ${isLabelled}`;
  if (DRAWN.get(element) === drawn) return; // so that nothing is drawn, or moves, twice
  const isNew = mark !== "." && element.dataset.mark === ".";
  DRAWN.set(element, drawn);
  element.setAttribute("aria-label", label);
  for (const [flag, is] of Object.entries(flags)) element.dataset[flag] = String(is);
  element.dataset.new = String(isNew);
  element.dataset.worth = worth;
  element.style.setProperty("--heat", String(heat));
  element.replaceChildren();
  if (mark !== ".") element.append(draw("svg", { class: "noughts-mark", viewBox: "0 0 100 100" }, markShape(mark)));
  if (value && (value.proved || isLabelled)) element.append(valueLabel(value, isLabelled));
}

/**
 * Return what a screen reader says of a cell.
 * @param {Cell} cell
 * @param {View} view
 * @param {Flags} flags
 * @param {MoveValue} [value]
 */
function labelOf(cell, view, flags, value) {
  const { name, mark } = cell;
  const parts = [view.boards ? ultimateName(name, view.boards) : name, mark === "." ? "empty" : mark];
  if (view.boards && flags.legal) parts.push("playable");
  if (flags.last) parts.push("last move");
  if (flags.line) parts.push("on the winning line");
  if (value) parts.push(value.proved ? wordsOf(value) : `estimate ${wordsOf(value)}`);
  if (flags.best && value) parts.push("best");
  if (flags.hint) parts.push("hint");
  if (flags.guilty) parts.push("breaks a rule");
  else if (flags.marked) parts.push("looked at");
  return parts.join(", ");
}

/**
 * Return a cell of Ultimate in words: board e centre, cell a top left.
 * @param {string} name
 * @param {SmallBoard[]} boards
 */
export function ultimateName(name, boards) {
  const place = (/** @type {string} */ letter) => boards.find((board) => board.name === letter)?.place;
  return `board ${name[0]} ${place(name[0])}, cell ${name[1]} ${place(name[1])}`;
}

/**
 * Return a value in words: win in 7, draw, loss in 4; 61 % is an estimate.
 * @param {MoveValue} value
 */
export function wordsOf({ value, plies, proved, score }) {
  if (!proved) return score == null ? "not known" : `${percent(score)} %`;
  return plies ? `${value} in ${plies}` : value;
}

/**
 * Return an estimate in per cent: never 0 or 100, which would look like a proof.
 * @param {number} score
 */
export function percent(score) {
  return Math.min(99, Math.max(1, Math.round(100 * score)));
}

/**
 * Return the label of a move: proofs are solid and upright, estimates dashed and slanted.
 * @param {MoveValue} value
 * @param {boolean} isWritten whether it says more than its shape does
 */
function valueLabel({ value, plies, proved, score }, isWritten) {
  const kind = proved ? value : "estimate";
  const label = make("span", { class: "noughts-value", "data-value": kind, "aria-hidden": "true" });
  if (!isWritten) return label;
  if (proved) {
    const number = plies ? make("span", {}, String(plies)) : "";
    label.append(
      make("span", { class: "noughts-short" }, value[0].toUpperCase(), number),
      make("span", { class: "noughts-long" }, value, plies ? make("small", {}, `in ${plies}`) : ""),
    );
  } else if (score == null) label.append("?");
  else label.append(make("span", {}, String(percent(score))), make("small", {}, "%"));
  return label;
}

// -- drawings ---------------------------------------------------------------------------------------------

/**
 * Draw the lattice; at Ultimate the boards, who owns them, which of them are open, and their letters.
 * @param {Parts} parts
 * @param {View} view
 */
function drawUnder({ under }, view) {
  if (!view.boards) {
    const d = hash(0, 0, view.rows, view.cols);
    if (!under.firstChild) under.append(draw("path", { class: "noughts-lattice", d }));
    return;
  }
  const choice = view.boards.filter((board) => board.open).length;
  under.replaceChildren(
    ...view.boards.flatMap((board, index) => {
      const [x, y] = corner(index);
      const isOpen = board.open && (view.legal.length > 0 || view.isWatched);
      const kind = isOpen ? (choice === 1 ? "forced" : "open") : "closed";
      const square = { "data-kind": kind, x, y, width: 300, height: 300, rx: 14 };
      const parts = [
        draw("rect", { class: "noughts-ground", "data-owner": board.owner, ...square }),
        draw("path", { class: "noughts-lattice", d: hash(x, y, 3, 3) }),
        draw("rect", { class: "noughts-frame", ...square }),
        draw("text", { class: "noughts-letter", "data-kind": kind, x: x + 6, y: y - 10 }, board.name),
      ];
      if (board.owner === "#") parts.splice(1, 0, draw("path", { class: "noughts-hatch", d: hatch(x, y) }));
      return parts;
    }),
  );
}

/**
 * Draw what lies over the cells: a stroke through every line, whose ends are cells or boards; and an arrow from a cell of
 * Ultimate to the board that it forces.
 * @param {Element} over
 * @param {View} view
 */
function drawOver(over, view) {
  const isGrid = !view.boards;
  const middle = isGrid ? CELL / 2 : (3 * CELL) / 2;
  const reach = isGrid ? 36 : 130;
  const names = (view.boards ?? view.cells).map(({ name }) => name);
  /** @param {string} name */
  const placeOf = (name) => {
    const index = names.indexOf(name);
    const [x, y] = isGrid ? [(index % view.cols) * CELL, Math.floor(index / view.cols) * CELL] : corner(index);
    return [x + middle, y + middle];
  };
  const captures = (view.boards ?? []).flatMap(({ owner, open }, index) =>
    "XO".includes(owner) ? [capture(owner, open, ...corner(index))] : [],
  );
  const strikes = (view.outcome?.lines ?? []).map((line) => {
    const [[x1, y1], [x2, y2]] = [placeOf(line[0]), placeOf(line[line.length - 1])];
    const [dx, dy] = [Math.sign(x2 - x1) * reach, Math.sign(y2 - y1) * reach];
    const d = `M${x1 - dx} ${y1 - dy}L${x2 + dx} ${y2 + dy}`;
    // One unit long, however long it is, so that it can be drawn from end to end.
    return draw("g", { class: "noughts-strike" }, draw("path", { d, pathLength: 1 }));
  });
  const drawn = [...captures, ...strikes, ...(view.arrow ? arrow(view.arrow) : [])];
  const key = drawn.map((each) => each.outerHTML).join();
  if (over.getAttribute("data-drawn") === key) return; // so that nothing is drawn, or moves, twice
  over.setAttribute("data-drawn", key);
  over.replaceChildren(...drawn);
}

/**
 * Return an arrow from a cell of Ultimate to a board; none if the cell lies in that board.
 * @param {{cell: number, board: number}} ends
 */
function arrow({ cell, board }) {
  const [row, col] = [Math.floor(cell / 9), cell % 9];
  const from = Math.floor(row / 3) * 3 + Math.floor(col / 3);
  if (from === board) return [];
  const [[x, y], [bx, by]] = [corner(from), corner(board)];
  const [x1, y1] = [x + (col % 3) * CELL + CELL / 2, y + (row % 3) * CELL + CELL / 2];
  const [dx, dy] = [bx + 1.5 * CELL - x1, by + 1.5 * CELL - y1];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  /** A point on the way, and to the side of it. */
  const at = (/** @type {number} */ along, aside = 0) =>
    `${(x1 + along * ux - aside * uy).toFixed(1)} ${(y1 + along * uy + aside * ux).toFixed(1)}`;
  const tip = length - 0.4 * CELL;
  const d = `M${at(0.42 * CELL)}L${at(tip)}M${at(tip - 40, -30)}L${at(tip)}L${at(tip - 40, 30)}`;
  return [draw("g", { class: "noughts-arrow" }, draw("path", { class: "noughts-halo", d }), draw("path", { d }))];
}

/**
 * Return the shape of a mark, drawn in a square of 100 units.
 * @param {string} mark
 */
export function markShape(mark) {
  return mark === "O"
    ? draw("circle", { cx: "50", cy: "50", r: "27" })
    : draw("path", { d: "M25 25L75 75M75 25L25 75" });
}

/**
 * Return the large mark of a captured board, which is drawn faintly where one may still play.
 * @param {string} owner
 * @param {boolean} isOpen
 * @param {number} x
 * @param {number} y
 */
function capture(owner, isOpen, x, y) {
  const kind = { class: "noughts-capture", "data-mark": owner, "data-open": String(isOpen) };
  return owner === "O"
    ? draw("circle", { ...kind, cx: x + 150, cy: y + 150, r: 112 })
    : draw("path", { ...kind, d: `M${x + 45} ${y + 45}l210 210m0 -210l-210 210` });
}

/**
 * Return the corner of a board of Ultimate.
 * @param {number} board
 * @returns {[number, number]}
 */
function corner(board) {
  return [(board % 3) * (3 * CELL + GAP), Math.floor(board / 3) * (3 * CELL + GAP)];
}

/**
 * Return the lines inside a rectangle of cells.
 * @param {number} x
 * @param {number} y
 * @param {number} rows
 * @param {number} cols
 */
function hash(x, y, rows, cols) {
  const down = Array.from({ length: cols - 1 }, (_, col) => `M${x + (col + 1) * CELL} ${y}v${rows * CELL}`);
  const across = Array.from({ length: rows - 1 }, (_, row) => `M${x} ${y + (row + 1) * CELL}h${cols * CELL}`);
  return [...down, ...across].join("");
}

/**
 * Return slanted lines through a full board that neither side owns.
 * @param {number} x
 * @param {number} y
 */
function hatch(x, y) {
  const side = 3 * CELL;
  const lines = Array.from({ length: (2 * side) / HATCH - 1 }, (_, index) => {
    const at = (index + 1) * HATCH;
    const [near, far] = [Math.max(0, at - side), Math.min(at, side)];
    return `M${x + near} ${y + far}L${x + far} ${y + near}`;
  });
  return lines.join("");
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function make(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function draw(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
