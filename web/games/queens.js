// Queens duel: cells to click, and which of them are still free.

import { s } from "../dom.js";
import { chessPiece } from "./pieces.js";

export const SIDES = ["White", "Black"];

const STEP = 50;

/** Where a cell's upper left corner is. Rows count from the bottom. */
function corner(ctx, cell) {
  const side = ctx.position.board.size[1];
  const x = ctx.flipped ? side - 1 - cell.x : cell.x;
  const y = ctx.flipped ? cell.y : side - 1 - cell.y;
  return [x * STEP, y * STEP];
}

/** @param {import("../board.js").Context} ctx */
export function draw(ctx) {
  const { board, latest } = ctx.position;
  const last = latest.at(-1)?.clicks[0];
  const cells = board.cells.map((cell) => {
    const [x, y] = corner(ctx, cell);
    const shade = (cell.x + cell.y) % 2 === 0 ? "dark" : "light";
    const look = `square ${shade} ${cell.status} ${cell.id === last ? "last" : ""}`;
    const group = s("g", {}, s("rect", { x, y, width: STEP, height: STEP, class: look, data: { part: cell.id } }));
    if (cell.status === "attacked") {
      group.append(s("path", { d: `M${x + 19},${y + 19}l12,12m0,-12l-12,12`, class: "cross" }));
    }
    if (cell.owner !== undefined) {
      group.append(chessPiece("Q", cell.owner, x + STEP / 2, y + STEP / 2, STEP));
    }
    const whose = cell.owner === undefined ? cell.status : `queen of ${SIDES[cell.owner]}`;
    return ctx.target(group, [cell.id], `cell ${cell.name}, ${whose}`);
  });
  const side = board.size[0] * STEP;
  return { view: [-6, -6, side + 12, side + 12], nodes: [cells] };
}

export function place(ctx, action) {
  const cell = ctx.position.board.cells.find((other) => other.id === action.clicks[0]);
  const [x, y] = corner(ctx, cell);
  return { x: x + STEP / 2, y: y + STEP / 2, r: STEP / 2 - 4, square: [x, y, STEP, STEP] };
}
