// The panel "Game" as a sheet over the board, for small windows, where the panels are out of sight. It closes when a game begins.

const SMALL = "(max-width: 60rem)";

/**
 * Return {isWanted, open()}.
 * @param {import("../state/session.js").Session} session
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} content what is shown in it; its own place is kept meanwhile
 */
export function makeSheet(session, dialog, content) {
  const place = document.createComment("the sheet has it");
  const small = matchMedia(SMALL);

  function open() {
    content.replaceWith(place);
    content.hidden = false;
    dialog.append(content);
    dialog.showModal();
  }

  dialog.addEventListener("close", () => {
    place.replaceWith(content);
    content.hidden = session.panel !== "game";
  });
  dialog.addEventListener("click", (event) => {
    const isTile = event.target instanceof Element && event.target.closest(".choice");
    if (event.target === dialog || isTile) dialog.close(); // beside it, or a game was chosen
  });
  dialog.addEventListener("submit", (event) => {
    if (event.target instanceof HTMLFormElement && event.target.method !== "dialog") dialog.close();
  });
  small.addEventListener("change", () => dialog.open && dialog.close());

  return {
    open,
    get isWanted() {
      return small.matches;
    },
  };
}
