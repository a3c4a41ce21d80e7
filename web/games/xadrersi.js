// Xadrersi: a chessboard with what each square counts; a piece in hand is chosen, then a square.

import { s } from "../dom.js";
import { chessPiece } from "./pieces.js";

export const SIDES = ["White", "Black"];

const STEP = 54;
const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

function corner(ctx, cell) {
  const x = ctx.flipped ? 7 - cell.x : cell.x;
  const y = ctx.flipped ? cell.y : 7 - cell.y;
  return [x * STEP, y * STEP];
}

/** @param {import("../board.js").Context} ctx */
export function draw(ctx) {
  const { board, latest } = ctx.position;
  const on = new Map(board.pieces?.map((piece) => [piece.cell, piece]));
  const last = latest.at(-1)?.clicks[1];
  const cells = board.cells.map((cell) => {
    const [x, y] = corner(ctx, cell);
    const piece = on.get(cell.id);
    const shade = (cell.x + cell.y) % 2 === 0 ? "dark" : "light";
    const look = `square ${shade} ${cell.id === last ? "last" : ""} ${cell.status ? "anchor" : ""}`;
    const group = s("g", {}, s("rect", { x, y, width: STEP, height: STEP, class: look }));
    if (ctx.showCounts && !piece) group.append(counts(cell.counts, x, y));
    if (ctx.selection.length > 0 && ctx.isNext(cell.id)) {
      group.append(s("circle", { cx: x + STEP / 2, cy: y + STEP / 2, r: 8, class: "reach" }));
    }
    if (piece) group.append(chessPiece(piece.kind, piece.owner, x + STEP / 2, y + STEP / 2, STEP));
    const what = piece ? `${SIDES[piece.owner]} ${NAMES[piece.kind]}`
      : `counts ${cell.counts[0]} for White, ${cell.counts[1]} for Black`;
    return ctx.target(group, [cell.id], `${cell.name}, ${what}`);
  });
  const files = [...Array(8).keys()].map((i) => {
    const file = "abcdefgh"[ctx.flipped ? 7 - i : i];
    const rank = ctx.flipped ? i + 1 : 8 - i;
    return [
      s("text", { x: i * STEP + STEP / 2, y: 8 * STEP + 14, class: "coordinate" }, file),
      s("text", { x: -9, y: i * STEP + STEP / 2 + 4, class: "coordinate" }, String(rank)),
    ];
  });
  return { view: [-20, -4, 8 * STEP + 24, 8 * STEP + 24], nodes: [cells, files] };
}

/** How often a square counts: White's count below on the left, Black's above on the right. */
function counts([white, black], x, y) {
  return s("g", { class: "counts" },
    white > 0 && s("text", { x: x + 5, y: y + STEP - 5, class: "count-0" }, String(white)),
    black > 0 && s("text", { x: x + STEP - 5, y: y + 13, class: "count-1" }, String(black)));
}

/** A piece in hand. */
export function reserve(item) {
  return s("svg", { viewBox: "-25 -25 50 50", class: "hand" }, chessPiece(item.kind, item.owner, 0, 0, 50));
}

export function reserveName(item) {
  return `${SIDES[item.owner]} ${NAMES[item.kind]}`;
}

export function place(ctx, action) {
  const cell = ctx.position.board.cells.find((other) => other.id === action.clicks[1]);
  const [x, y] = corner(ctx, cell);
  const kind = action.clicks[0][1];
  return {
    x: x + STEP / 2, y: y + STEP / 2, r: STEP / 2 - 5, square: [x, y, STEP, STEP],
    ghost: (opacity) => chessPiece(kind, ctx.position.player, x + STEP / 2, y + STEP / 2, STEP * 0.9, opacity),
  };
}
