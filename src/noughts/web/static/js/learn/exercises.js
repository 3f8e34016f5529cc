// The exercises that the panel "Learn" shows step by step: what they are called, what their input looks like, what a
// click on the board means, and where the next stop of a quick look through the steps is.
//
// An input is a list of texts, as `noughts trace` takes them.

/** @typedef {import("./trace.js").Step} Step */

/** An input that shows something, by name.
 * @typedef {{name: string, input: string[]}} Example */

/** A field of the form; with `isList` it holds all remaining texts, one a line.
 * @typedef {{label: string, isList?: boolean}} Field */

/** What follows from a click: another input, or a sentence that says why there is none.
 * @typedef {{input: string[]} | {message: string}} Clicked */

/**
 * @typedef {object} Exercise
 * @property {string} title
 * @property {string} about
 * @property {string} lesson the page that explains it
 * @property {Field[]} fields
 * @property {Example[]} examples the first one is what the exercise begins with
 * @property {string} stop what the button to the next stop says
 * @property {(step: Step) => boolean} isStop
 * @property {string} onClick what a click on the board does
 * @property {(input: string[], cell: number) => Clicked} click
 */

const CYCLE = ".XO";

/** @type {Record<string, Exercise>} */
export const EXERCISES = {
  state: {
    title: "Judge a drawn board",
    about: "Whose turn, who won, draw or invalid: the checks, one after the other.",
    lesson: "state",
    fields: [{ label: "Board" }],
    examples: [
      { name: "Both sides have a line", input: ["XXX/OOO/..."] },
      { name: "O moves on after X has won", input: ["XXX/OO./O.."] },
      { name: "X moves on after O has won", input: ["OOO/XX./XX."] },
      { name: "An O too many", input: ["OO./.X./..."] },
      { name: "One move, two lines", input: ["XXX/XOO/XOO"] },
      { name: "Lines without a common cell", input: ["4x4x3:XXX./OO.O/O.O./XXX."] },
      { name: "A draw", input: ["XOX/XOO/OXX"] },
    ],
    stop: "Next check",
    isStop: ({ event }) => event === "check" || event === "win" || event === "draw",
    onClick: "A click on a cell changes its mark, and the board is judged again.",
    click: clickMark,
  },
  valid: {
    title: "Can this board be reached?",
    about: "LeetCode 794: yes or no, by the same checks.",
    lesson: "state",
    fields: [{ label: "Board" }],
    examples: [
      { name: "A board in the middle of a game", input: ["XOX/O.O/XOX"] },
      { name: "X has moved once too often", input: ["XOX/.X./..."] },
      { name: "O begins", input: ["O../.../..."] },
      { name: "Both sides have a line", input: ["XXX/.../OOO"] },
    ],
    stop: "Next check",
    isStop: ({ event }) => event === "check" || event === "win" || event === "draw",
    onClick: "A click on a cell changes its mark, and the board is judged again.",
    click: clickMark,
  },
  simulate: {
    title: "Replay moves on 3 × 3",
    about: "Each move of a list is accepted or rejected, and the list goes on.",
    lesson: "simulate",
    fields: [{ label: "Moves, one a line: row,col,player", isList: true }],
    examples: [
      { name: "Some good, some bad", input: ["0,0,X", "0,0,O", "1,1,O", "3,1,X", "0,1,X", "2,2,O", "0,2,X", "1,2,O"] },
      { name: "What only looks like a move", input: ["0,0,X", " 0,1,O", "+1,1,X", "01,1,O", "1,1,x", "1,1", "1,1,O"] },
      { name: "Turns are not enforced", input: ["0,0,X", "1,1,X", "2,2,X", "0,1,O"] },
    ],
    stop: "Next move",
    isStop: ({ event }) => event === "accept" || event === "reject",
    onClick: "A click on a cell adds a move to the list, also where it will be rejected.",
    click: (input, cell) => ({ input: [...input, `${Math.floor(cell / 3)},${cell % 3},${nextOf(input)}`] }),
  },
  ultimate: {
    title: "Replay moves of Ultimate",
    about: "The same with nine boards: the last move names the board to play in.",
    lesson: "ultimate",
    fields: [{ label: "Moves, one a line: bigrow,bigcol,row,col,player", isList: true }],
    examples: [
      {
        name: "The next board is forced",
        input: ["0,0,1,2,X", "1,2,0,0,O", "2,2,0,0,X", "0,0,1,1,X", "1,1,0,0,O", "0,0,1,0,X"],
      },
      {
        name: "Sent to a closed board: any open one will do",
        input: ["0,0,0,0,X", "0,0,0,1,X", "0,1,0,0,O", "0,0,0,2,X", "0,2,0,0,O", "0,0,1,1,O", "2,1,1,1,O"],
      },
    ],
    stop: "Next move",
    isStop: ({ event }) => event === "accept" || event === "reject",
    onClick: "A click on a cell adds a move to the list, also where it will be rejected.",
    click: (input, cell) => {
      const [row, col] = [Math.floor(cell / 9), cell % 9];
      const place = [Math.floor(row / 3), Math.floor(col / 3), row % 3, col % 3];
      return { input: [...input, `${place.join(",")},${nextOf(input)}`] };
    },
  },
  move: {
    title: "Wins in constant time",
    about: "LeetCode 348: counters of rows, columns and diagonals instead of a search.",
    lesson: "tic-tac-toe",
    fields: [{ label: "n" }, { label: "Moves, one a line: row,col,player", isList: true }],
    examples: [
      { name: "A diagonal", input: ["3", "0,0,1", "2,0,2", "1,1,1", "2,1,2", "0,2,1", "1,0,2", "2,2,1"] },
      { name: "A column on 4 × 4", input: ["4", "0,2,2", "0,1,1", "1,1,1", "3,3,2", "2,1,1", "0,0,2", "3,1,1"] },
      { name: "An empty board, to click on", input: ["3"] },
    ],
    stop: "Next move",
    isStop: ({ event, stack }) => event === "call" && stack.length === 2,
    onClick: "A click on an empty cell plays there.",
    click: ([n, ...moves], cell) => {
      const place = `${Math.floor(cell / Number(n))},${cell % Number(n)},`;
      if (moves.some((move) => move.startsWith(place)))
        return { message: "This cell is taken, and the exercise promises legal moves." };
      return { input: [n, ...moves, place + (moves.at(-1)?.endsWith("1") ? 2 : 1)] };
    },
  },
  games: {
    title: "List every game",
    about: "Recursion and backtracking: place, go on from there, take back.",
    lesson: "games",
    fields: [{ label: "Grid" }],
    examples: [
      { name: "2x2x2: 24 games", input: ["2x2x2"] },
      { name: "1x4x2: draws and wins in one row", input: ["1x4x2"] },
      { name: "3x3x3: tic-tac-toe", input: ["3x3x3"] },
      { name: "4x4x3: the exercise itself", input: ["4x4x3"] },
    ],
    stop: "Next game",
    isStop: ({ event }) => event === "win" || event === "draw",
    onClick: "",
    click: () => ({ message: "The program plays all moves here. Choose another grid in the panel." }),
  },
};

/** Lessons that have no steps to watch. */
export const READINGS = [
  {
    title: "Count without walking",
    about: "Why 1,281,016,086,768 games take milliseconds: merge what has the same future.",
    lesson: "counting",
  },
  {
    title: "Check your own solution",
    about: "noughts grade runs your file against the exact answers, and shows the smallest case it gets wrong.",
    lesson: "grading",
  },
];

/**
 * Return the input with the next mark at a cell of its board.
 * @param {string[]} input
 * @param {number} cell
 * @returns {Clicked}
 */
function clickMark([text], cell) {
  const at = text.indexOf(":") + 1; // behind the grid, if it is there
  const rows = text.slice(at).split("/");
  const [row, col] = [Math.floor(cell / rows[0].length), cell % rows[0].length];
  const mark = CYCLE[(CYCLE.indexOf(rows[row][col]) + 1) % CYCLE.length];
  rows[row] = rows[row].slice(0, col) + mark + rows[row].slice(col + 1);
  return { input: [text.slice(0, at) + rows.join("/")] };
}

/**
 * Return the player of the next move of a list: the other one.
 * @param {string[]} input
 */
function nextOf(input) {
  return input.at(-1)?.endsWith("X") ? "O" : "X";
}

/**
 * Return the texts of the fields of a form as an input; empty lines of a list are left out.
 * @param {Exercise} exercise
 * @param {string[]} texts
 */
export function inputOf({ fields }, texts) {
  return fields.flatMap(({ isList }, index) => {
    const text = texts[index] ?? "";
    return isList ? text.split("\n").filter((line) => line.trim() !== "") : [text.trim()];
  });
}

/**
 * Return what the fields of a form say for an input.
 * @param {Exercise} exercise
 * @param {string[]} input
 */
export function textsOf({ fields }, input) {
  return fields.map(({ isList }, index) => (isList ? input.slice(index).join("\n") : (input[index] ?? "")));
}
