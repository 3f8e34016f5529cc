// Small sounds of a move, of the end of a game, and of what cannot be. They are made here, from plain tones; loaded when
// a reader wants sounds (settings.js).

import { SIDES } from "../state/game.js";
import { PERSON } from "../state/session.js";

/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("../state/session.js").Session} Session */

/** A tone: its frequency, after how many seconds it begins, how long it lasts, how loud it is from 0 to 1, its shape.
 * @typedef {[hertz: number, after: number, length: number, volume: number, shape: OscillatorType]} Tone */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  X: [[587, 0, 0.07, 0.16, "triangle"]],
  O: [[440, 0, 0.07, 0.16, "triangle"]],
  win: [
    [523, 0, 0.14, 0.12, "triangle"],
    [659, 0.1, 0.14, 0.12, "triangle"],
    [784, 0.2, 0.14, 0.12, "triangle"],
    [1047, 0.3, 0.3, 0.12, "triangle"],
  ],
  loss: [
    [392, 0, 0.18, 0.12, "triangle"],
    [330, 0.15, 0.18, 0.12, "triangle"],
    [262, 0.3, 0.32, 0.12, "triangle"],
  ],
  draw: [
    [440, 0, 0.16, 0.12, "triangle"],
    [440, 0.2, 0.26, 0.12, "triangle"],
  ],
  refusal: [
    [150, 0, 0.07, 0.05, "square"],
    [120, 0.09, 0.1, 0.05, "square"],
  ],
};
const SOFT = 0.005; // seconds in which a tone begins, so that it does not click
const SILENCE = 0.0001; // to fade to
const REST = 0.12; // seconds between the last move and the result

/**
 * Let a session be heard whenever the reader wants sounds. Return {play(name)}.
 * @param {Session} session
 */
export function playSounds(session) {
  /** @type {AudioContext | null} */
  let audio = null;
  /** @type {View | null} what was heard last */
  let heard = session.viewOrNull;

  /**
   * @param {keyof typeof SOUNDS} name
   * @param {number} after
   */
  function play(name, after = 0) {
    if (document.documentElement.dataset.sound !== "on" || document.hidden) return;
    audio ??= new AudioContext();
    audio.resume(); // browsers let no page be heard before its first click or key
    for (const [frequency, delay, length, volume, type] of SOUNDS[name]) {
      const begin = audio.currentTime + after + delay;
      const tone = new OscillatorNode(audio, { frequency, type });
      const gain = new GainNode(audio, { gain: 0 });
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(volume, begin + SOFT);
      gain.gain.exponentialRampToValueAtTime(SILENCE, begin + length);
      tone.connect(gain).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + length);
    }
  }

  session.on(["view"], () => {
    const { viewOrNull: view, mode } = session;
    const before = heard;
    heard = view;
    if (!view || !before || mode?.name || view.start !== before.start) return;
    const step = view.played - before.played;
    const mark = view.cells.find(({ name }) => name === view.last)?.mark;
    if (step === 1 && mark && mark !== ".") play(mark);
    // A game that ended just now; not one whose end is looked at again.
    const isNew = step === 0 || (step === 1 && view.moves.length !== before.moves.length);
    if (view.outcome && !before.outcome && isNew) play(ending(session, view), REST);
  });

  session.on(["report"], () => {
    const { report } = session;
    if (report && report.tone !== "good" && !report.isAway) play("refusal");
  });

  return { play };
}

/**
 * Return the sound of how a game ended for the person at the screen.
 * @param {Session} session
 * @param {View} view
 */
function ending({ players, mode }, { outcome }) {
  if (!outcome?.winner) return "draw";
  const isLost = !mode && players[outcome.winner] !== PERSON && SIDES.some((side) => players[side] === PERSON);
  return isLost ? "loss" : "win";
}
