// A game without a board of its own: its drawing, and a button for each action.

import { s } from "../dom.js";

export const SIDES = ["Player 1", "Player 2"];

export function draw(ctx) {
  const lines = (ctx.position.board.drawing ?? "").split("\n");
  const width = 10 + 9 * Math.max(20, ...lines.map((line) => line.length));
  const nodes = lines.map((line, row) =>
    s("text", { x: 8, y: 20 + 18 * row, class: "drawing" }, line));
  return { view: [0, 0, width, 18 * lines.length + 20], nodes };
}

export function place() {
  return null;
}
