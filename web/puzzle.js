// Puzzles: find the only move that keeps the exact result.

import { isAbort, post } from "./api.js";
import { button, h, replace, say, select } from "./dom.js";
import { sideName } from "./game.js";
import { Tree } from "./tree.js";

/** Boards on which the solver finds puzzles soon. */
const SPECS = [
  ["dots-and-boxes:3x3", "Dots and Boxes, 3 × 3"],
  ["dots-and-boxes:2x3", "Dots and Boxes, 2 × 3"],
  ["queens:8", "Queens duel, 8 × 8"],
  ["queens:6", "Queens duel, 6 × 6"],
  ["paper-soccer:4x4", "Paper Soccer, 4 × 4"],
];

export class PuzzlePanel {
  constructor(app) {
    this.app = app;
    this.spec = SPECS[0][0];
    this.puzzle = null;
    this.solved = 0;
    this.tried = 0;
    this.words = h("div", { class: "turn", role: "status" });
    this.score = h("p", { class: "quiet" });
    const size = select({ "aria-label": "Game", onchange: () => { this.spec = size.value; this.start(); } }, SPECS, this.spec);
    this.element = h("div", { class: "panel" }, h("section", { class: "card" }, this.words, this.score, size,
      h("div", { class: "row wrap" },
        button("Next puzzle", () => this.start(), { class: "primary", title: "Next puzzle (n)" }),
        button("Show the move", () => this.reveal()),
        button("Analyse", () => app.open("analyse"))),
      h("p", {}, h("span", { class: "tag exact" }, "✓ exact"), " Every puzzle is solved by the exact solver: one move keeps the result, all others give it away.")));
  }

  enter() {
    if (!this.puzzle || this.app.tree !== this.tree) return this.start();
    return undefined;
  }

  async start() {
    this.stopper?.abort();
    this.stopper = new AbortController();
    replace(this.words, "Looking for a puzzle…");
    try {
      const seed = Math.floor(Math.random() * 1e9);
      const puzzle = await post("/api/puzzle", { game: this.spec, seed }, this.stopper.signal);
      this.puzzle = puzzle;
      this.isFailed = false;
      this.isDone = false;
      this.tree = new Tree(this.spec);
      this.app.tree = this.tree;
      this.app.forfeit = null;
      this.app.flipped = false;
      puzzle.actions.forEach((action, index) => this.tree.play(action, puzzle.texts[index]));
      this.tree.current.position = puzzle.position;
      say("");
      await this.app.go(this.tree.current);
    } catch (error) {
      if (!isAbort(error)) replace(this.words, error.message);
    }
  }

  /** Whether a move is the one; others are not played. */
  tries(action) {
    if (!this.puzzle || this.isDone || this.app.tree !== this.tree) return false;
    if (action !== this.puzzle.solution) {
      this.isFailed = true;
      say(`No: that gives the ${this.result} away. Try again.`, "error");
      return false;
    }
    this.isDone = true;
    this.tried += 1;
    this.solved += this.isFailed ? 0 : 1;
    return true;
  }

  reveal() {
    const { app, puzzle } = this;
    if (!puzzle || this.isDone) return;
    this.isFailed = true;
    const action = app.position.actions.find((other) => other.action === puzzle.solution);
    app.board.show(app.position, { marks: [{ action, share: 0.6, loss: 0, label: "", isBest: true }] });
  }

  get result() {
    return this.puzzle.result === 1 ? "win" : "draw";
  }

  update() {
    const { puzzle, app } = this;
    if (!puzzle) return;
    const side = sideName(this.spec, puzzle.position.player);
    this.words.className = `turn ${this.isDone ? "over" : `side-${puzzle.position.player}`}`;
    replace(this.words, this.isDone ? `Right: ${puzzle.solution_text} keeps the ${this.result}.` : `${side} to move: find the only move that ${this.result === "win" ? "wins" : "draws"}`);
    replace(this.score, this.tried ? `${this.solved} of ${this.tried} solved at once` : "");
    app.board.options.interactive = !this.isDone;
    app.board.render();
  }
}
