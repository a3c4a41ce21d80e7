// The list of moves with its variations, and the buttons that go through it.

import { button, h, replace } from "./dom.js";

/** Moves of a list that are shown around the current one, where there are more. */
const MOST_SHOWN = 600;

export class MoveList {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.list = h("ol", { class: "moves", "aria-label": "Moves" });
    const go = (label, title, to) => button(label, () => app.go(to()), { title, class: "small", "aria-label": title });
    const tree = () => app.tree;
    this.element = h("section", { class: "card" },
      h("div", { class: "row spread" }, h("h2", {}, "Moves"),
        h("div", { class: "row" },
          go("«", "To the start (Home)", () => tree().root),
          go("‹", "One back (←)", () => tree().current.parent ?? tree().current),
          go("›", "One on (→)", () => tree().current.children[0] ?? tree().current),
          go("»", "To the end (End)", () => tree().mainLine().at(-1)))),
      this.list);
  }

  update() {
    const { tree } = this.app;
    const line = tree.mainLine().slice(1);
    const from = Math.max(0, line.length - MOST_SHOWN);
    replace(this.list, line.slice(from).map((node) => this.item(node)));
    const current = this.list.querySelector(".current");
    // Within the list alone: the page must not jump.
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  item(node) {
    const { tree } = this.app;
    const judged = node.judged ?? "";
    const others = node.parent.children.filter((other) => other !== node);
    const sideless = node.player === null ? "" : `side-${node.player}`;
    return h("li", {},
      button([h("span", { class: "ply" }, String(node.ply)), node.text || String(node.action), judged && h("span", { class: `judged ${judged}` }, SIGNS[judged])].filter(Boolean).map((part) => part), () => this.app.go(node), {
        class: `move ${sideless} ${node === tree.current ? "current" : ""}`,
        "aria-current": node === tree.current ? "true" : null,
        title: node.note || null,
      }),
      others.map((other) => button(`or ${other.text}`, () => this.app.go(other), { class: "move variation" })));
  }
}

/** Signs of judged moves, as in chess. */
export const SIGNS = { blunder: "??", mistake: "?", inaccuracy: "?!", good: "" };
