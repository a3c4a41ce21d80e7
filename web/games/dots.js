// Dots and Boxes: boxes between dots, edges to click.

import { s } from "../dom.js";

export const SIDES = ["Blue", "Orange"];

const STEP = 60;

/** @param {import("../board.js").Context} ctx */
export function draw(ctx) {
  const { board } = ctx.position;
  const [cols, rows] = board.size;
  const last = new Map(ctx.position.latest.map((step) => [step.clicks[0], step.player]));
  const boxes = board.cells.map((cell) => {
    const owner = cell.owner ?? null;
    return s("rect", {
      x: cell.x * STEP + 4, y: cell.y * STEP + 4, width: STEP - 8, height: STEP - 8, rx: 6,
      class: `box ${owner === null ? "" : `fill-${owner}`}`,
      data: { part: cell.id },
      role: owner === null ? null : "img", "aria-label": owner === null ? null : `${cell.name}, taken by ${SIDES[owner]}`,
    });
  });
  const edges = board.edges.map((edge) => {
    const [x1, y1, x2, y2] = [...edge.from, ...edge.to].map((at) => at * STEP);
    const player = last.get(edge.id);
    const state = edge.drawn ? "drawn" : "open";
    const look = `edge ${state} ${player === undefined ? "" : `last stroke-${player}`}`;
    const line = s("line", { x1, y1, x2, y2, class: look });
    if (edge.drawn) return line;
    // A rhombus that reaches half way to the middle of the boxes beside it: all of the board can be hit.
    const [mx, my, half] = [(x1 + x2) / 2, (y1 + y2) / 2, STEP / 2];
    const points = `${x1},${y1} ${mx + (y2 - y1) / STEP * half},${my - (x2 - x1) / STEP * half} `
      + `${x2},${y2} ${mx - (y2 - y1) / STEP * half},${my + (x2 - x1) / STEP * half}`;
    return ctx.target(s("g", {}, s("polygon", { points, class: "hit" }), line), [edge.id], `edge ${edge.name}`);
  });
  const corners = [];
  for (let y = 0; y <= rows; y++) {
    for (let x = 0; x <= cols; x++) {
      corners.push(s("circle", { cx: x * STEP, cy: y * STEP, r: 5.5, class: "dot" }));
    }
  }
  // A small board does not fill the screen: its lines would be as thick as beams.
  const side = Math.max(cols, rows, 4);
  const margins = [cols, rows].map((n) => 22 + Math.max(0, side - n) * STEP / 2 * (side > Math.max(cols, rows) ? 1 : 0));
  const view = [-margins[0], -margins[1], cols * STEP + 2 * margins[0], rows * STEP + 2 * margins[1]];
  return { view, nodes: [boxes, edges, corners] };
}

/** Where the marks of an action go. */
export function place(ctx, action) {
  const edge = ctx.position.board.edges.find((other) => other.id === action.clicks[0]);
  const [x1, y1, x2, y2] = [...edge.from, ...edge.to].map((at) => at * STEP);
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2, r: 14, line: [x1, y1, x2, y2] };
}
