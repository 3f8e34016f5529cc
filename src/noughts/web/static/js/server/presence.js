// Whether the server is there, and at full strength: one quiet line that vanishes by itself.
//
// A request that does not arrive may be an accident, so the server is asked once whether it is there. Only if it is not,
// the page says so, asks until it is, and then does again what had failed. The game on the board stays meanwhile.

import { h } from "../dom/dom.js";

/** @typedef {import("./api.js").Api} Api */
/** @typedef {import("../state/session.js").Session} Session */
/** @typedef {import("../state/session.js").Version} Version */

const AWAY = "The server is away. Your game stays here, and goes on when the server is back.";
const WARMING = "The computer is warming up. It plays, and is at full strength in about a minute.";
const PAUSE = 3000; // milliseconds between looks at the strength; loading what is compiled takes no longer

/**
 * Watch the server, and say in an element what there is to say.
 * @param {Session} session
 * @param {Api} api
 * @param {HTMLElement} parent
 * @param {Version | null} version the server's answer at the start; null if there was none
 */
export function watchServer(session, api, parent, version) {
  const line = h("p", { class: "notice", role: "status" });
  parent.append(line);
  let isLooking = false;

  api.connection.addEventListener("lost", look);
  if (version) followStrength(version);
  else look();

  async function look() {
    if (isLooking) return;
    isLooking = true;
    let failures = 0;
    while (!(await isThere(api))) {
      failures += 1;
      line.textContent = AWAY;
      await sleep(api.pauseAfter(failures));
    }
    isLooking = false;
    if (failures > 0) goOn();
  }

  function goOn() {
    line.textContent = "";
    const { report } = session;
    if (report?.isAway && report.retry) {
      session.say(null);
      report.retry();
    }
  }

  /** @param {Version} answer */
  async function followStrength(answer) {
    while (answer.strength === "warming") {
      await sleep(PAUSE);
      answer = await api.get("version").catch(() => answer);
      if (!isLooking) line.textContent = answer.strength === "warming" ? WARMING : "";
    }
  }
}

/** @param {Api} api */
function isThere(api) {
  return api.get("health").then(
    () => true,
    () => false,
  );
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
