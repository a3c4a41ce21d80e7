// The rules of each game, and the keys.

import { get, post } from "./api.js";
import { Board } from "./board.js";
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

/** A position of each game, and what it shows. */
const PICTURES = {
  "dots-and-boxes": ["dots-and-boxes:3x3", "1-1-h 3-3-h 1-1-v 4-2-h 2-1-h 2-3-v 1-2-v", "Orange had drawn the third side of the first box; Blue has taken it and moves again."],
  queens: ["queens:8", "2,3 6,4", "Two queens, and the cells that they leave: only these are free."],
  "paper-soccer": ["paper-soccer:6x8", "0,1 1,2 1,1 0,1 -1,0", "The ball has bounced off a point where it had been. Rings are points from which it would bounce again."],
  xadrersi: ["xadrersi", "Kd4 Nc5 Rd5 Be4", "Small numbers are the points that an empty square counts, White's below and Black's above."],
  hive: ["hive:base", "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ/;wA1 bA1-", "A pin marks a bug that holds the hive together: it cannot move."],
};

export class RulesPage {
  constructor(app) {
    this.app = app;
    this.text = h("article", { class: "card rules" });
    this.head = h("div", { class: "row" });
    this.picture = h("figure", {});
    this.board = new Board({ onaction: () => {}, onrefused: () => {} });
    this.element = h("div", { class: "page" }, this.head, h("div", { class: "rules-page" }, this.text, this.picture));
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
    const [game, text, words] = PICTURES[name];
    const line = { game, from: null, actions: [] };
    const { position } = await post("/api/play", { line, input: { text } });
    this.board.show(position, { interactive: false });
    replace(this.picture, this.board.element, h("figcaption", {}, words));
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
