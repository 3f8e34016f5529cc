// After the game: which of its moves changed the result, proved where that is possible.

import { h, markIcon } from "./dom.js";

const SECONDS = 10; // for a whole game
const COSTLY = 0.2; // how much an estimate has to fall to be worth a word

/** Return the part of a panel that looks for the moves that changed the result. */
export function reviewSection(session, api, mostSeconds) {
  const button = h("button", { type: "button", class: "button", onclick: run }, "Review the whole game");
  const said = h("p", { class: "said", role: "status" });
  const list = h("ol", { class: "turning" });
  const element = h("section", { class: "review" }, button, said, list);
  let asked = null; // {key, abort}
  let shown = null; // the key of the game that the list is about

  async function run() {
    const { view } = session;
    asked?.abort.abort();
    const abort = new AbortController();
    const mine = (asked = { key: keyOf(view), abort });
    shown = mine.key;
    list.replaceChildren();
    said.textContent = "Looking at every move";
    draw();
    const total = view.moves.length;
    const hear = (answer) => {
      if (asked === mine) said.textContent = `Looked at ${answer.moves.length} of ${total} moves`;
    };
    try {
      const { signal } = abort;
      const body = { game: mine.key, seconds: Math.min(SECONDS, mostSeconds) };
      const answer = await api.patiently(() => api.stream("review", body, { signal, onProgress: hear }), signal);
      if (asked !== mine) return;
      asked = null;
      show(answer.moves);
    } catch (error) {
      if (asked !== mine) return;
      asked = null;
      shown = null;
      if (!(error instanceof api.Problem)) throw error;
      said.textContent = error.message;
      draw();
    }
  }

  function show(moves) {
    const remarks = moves.map(remarkOf);
    const changes = remarks.filter((remark) => remark?.kind === "changed").length;
    const open = moves.filter(({ changed }) => changed === null).length;
    const found = changes === 0 ? "No move" : changes === 1 ? "One move" : `${changes} moves`;
    const rest = open ? `; ${open} of ${moves.length} could only be estimated` : "";
    said.textContent = `${found} changed the result${rest}.`;
    list.replaceChildren(...moves.filter((_, index) => remarks[index]).map(entry));
    session.annotate({ review: new Map(remarks.flatMap((remark, index) => (remark ? [[index, remark]] : []))) });
  }

  function entry(move) {
    const isEstimate = move.changed === null;
    const label = `Before move ${move.number}, ${move.player} ${move.move}`;
    const jump = () => session.jump(move.number - 1);
    return h(
      "li",
      { "data-estimate": String(isEstimate) },
      h(
        "button",
        { type: "button", class: "move", "aria-label": label, onclick: jump },
        `${move.number}.`,
        markIcon(move.player),
        move.move,
      ),
      h("span", {}, `${isEstimate ? "probably worse: " : ""}${move.text}; better ${move.best}`),
    );
  }

  /** Show the button, or what was found; a game that went another way has to be looked at anew. */
  function draw() {
    const { view } = session;
    const key = keyOf(view);
    if (shown !== null && shown !== key) {
      asked?.abort.abort();
      asked = null;
      shown = null;
      said.textContent = "";
      list.replaceChildren();
    }
    element.hidden = view.moves.length === 0 || Boolean(session.guest?.withoutHelp && !view.outcome);
    button.hidden = shown === key;
  }

  return { element, draw, run };
}

/** Return the whole game as text, undone moves and all. */
function keyOf({ start, moves }) {
  return [start, ...moves].join(" ");
}

/** Return what there is to say of a move in the list of moves, or null. */
function remarkOf({ changed, cost, text, best }) {
  if (changed) return { kind: "changed", sign: cost > 0.75 ? "??" : "?", text: `${text}; better ${best}` };
  if (changed === null && cost >= COSTLY) return { kind: "estimate", sign: "?!", text: `probably worse than ${best}` };
  return null;
}
