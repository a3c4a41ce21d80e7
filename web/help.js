// The rules of each game, and the keys.

import { get } from "./api.js";
import { button, h, replace, select } from "./dom.js";
import { GAMES } from "./game.js";

/** Every key, with what it does. */
export const KEYS = [
  ["← →", "one move back, one on"],
  ["Home End", "to the start, to the end"],
  ["Tab, arrows, Enter", "to the board, about it, play"],
  ["Esc", "put a chosen piece back"],
  ["u", "take back"],
  ["h", "hint"],
  ["f", "flip the board"],
  ["n", "new game"],
  ["c", "counts on the board on and off (Xadrersi)"],
  ["a r p", "analyse, review, play"],
  ["space", "start or stop the analysis"],
  ["m, M", "next mistake, previous one"],
  ["0", "show all of the board"],
  ["?", "these keys"],
];

/** Shows the keys. */
export function showKeys() {
  const dialog = document.getElementById("keys");
  replace(dialog, h("h2", { id: "keys-title" }, "Keys"),
    h("table", {}, KEYS.map(([key, what]) => h("tr", {}, h("th", {}, key), h("td", {}, what)))),
    button("Close", () => dialog.close(), { class: "primary" }));
  dialog.showModal();
}

export class RulesPage {
  constructor(app) {
    this.app = app;
    this.text = h("article", { class: "card rules" });
    this.head = h("div", { class: "row" });
    this.element = h("div", { class: "page" }, this.head, this.text);
  }

  async enter() {
    const name = this.app.tree.game.split(":")[0];
    const game = select({ "aria-label": "Game", onchange: () => this.show(game.value) },
      Object.entries(GAMES).map(([key, { title }]) => [key, title]), name);
    replace(this.head, h("label", {}, "Rules of ", game));
    await this.show(name);
  }

  async show(name) {
    const { rules } = await get(`/api/rules/${encodeURIComponent(name)}`);
    replace(this.text, blocks(rules));
  }
}

/** Headings, lists and paragraphs of a text of rules. */
function blocks(text) {
  return text.trim().split(/\n\n+/).map((block) => {
    const lines = block.split("\n");
    if (block.startsWith("# ")) return h("h2", {}, block.slice(2));
    if (lines.every((line) => line.startsWith("- "))) return h("ul", {}, lines.map((line) => h("li", {}, line.slice(2))));
    return h("p", {}, block);
  });
}
