// Hive: hexes without a board. A piece is chosen, in hand or on the table, then a cell.

import { s } from "../dom.js";
import { bug } from "./pieces.js";

export const SIDES = ["White", "Black"];

const SIZE = 40;
/** How far a piece on top of another is drawn above it. */
const LIFT = 9;
const NAMES = {
  Q: "queen", S: "spider", B: "beetle", G: "grasshopper", A: "ant", M: "mosquito", L: "ladybug", P: "pillbug",
};

/** The middle of a hex. */
function centre(ctx, cell) {
  const turn = ctx.flipped ? -1 : 1;
  return [turn * SIZE * Math.sqrt(3) * (cell.x + cell.y / 2), turn * SIZE * 1.5 * cell.y];
}

function hexagon([cx, cy], size) {
  const corners = [...Array(6).keys()].map((i) => {
    const angle = Math.PI / 6 + i * Math.PI / 3;
    return `${(cx + size * Math.cos(angle)).toFixed(2)},${(cy + size * Math.sin(angle)).toFixed(2)}`;
  });
  return corners.join(" ");
}

/** @param {import("../board.js").Context} ctx */
export function draw(ctx) {
  const { board, latest } = ctx.position;
  const stacks = new Map(board.cells.map((cell) => [cell.id, []]));
  for (const piece of board.pieces ?? []) stacks.get(piece.cell).push(piece);
  const last = latest.at(-1);
  const cells = [...board.cells].sort((a, b) => (ctx.flipped ? b.y - a.y : a.y - b.y));
  const nodes = cells.map((cell) => drawCell(ctx, cell, stacks.get(cell.id), last));
  const [xs, ys] = [0, 1].map((axis) => board.cells.map((cell) => centre(ctx, cell)[axis]));
  const pad = SIZE * 1.25;
  // Not closer than this, so that the first pieces do not fill the screen.
  const width = Math.max(Math.max(...xs) - Math.min(...xs) + 2 * pad, SIZE * 9);
  const height = Math.max(Math.max(...ys) - Math.min(...ys) + 2 * pad, SIZE * 7.5);
  const mid = [xs, ys].map((all) => (Math.max(...all) + Math.min(...all)) / 2);
  return { view: [mid[0] - width / 2, mid[1] - height / 2, width, height], nodes, zoomable: true };
}

function drawCell(ctx, cell, stack, last) {
  const middle = centre(ctx, cell);
  const isNext = ctx.selection.length > 0 && ctx.isNext(cell.id);
  const look = last?.from === cell.id ? "left" : "";
  const group = s("g", {}, s("polygon", { points: hexagon(middle, SIZE - 1), class: `hex empty ${look}` }));
  stack.forEach((piece, level) => group.append(tile(ctx, piece, middle, level, last, level === stack.length - 1)));
  const lift = LIFT * stack.length;
  if (isNext) {
    group.append(s("circle", { cx: middle[0], cy: middle[1] - lift, r: 9, class: "reach" }));
  }
  const top = stack.at(-1);
  const ids = top ? [top.id, cell.id] : [cell.id];
  const below = stack.length > 1 ? `, on ${stack.slice(0, -1).map((piece) => piece.id).join(" and ")}` : "";
  const stuck = top?.stuck ? `, cannot move: ${top.stuck}` : "";
  const what = top ? `${top.id}, ${SIDES[top.owner]} ${NAMES[top.kind]}${below}${stuck}` : `empty, ${cell.name}`;
  return ctx.target(group, ids, what, { title: top ? what : null });
}

function tile(ctx, piece, [x, y], level, last, isTop) {
  const middle = [x, y - LIFT * level];
  const isSelected = ctx.selection[0] === piece.id;
  const isLast = last?.clicks[0] === piece.id;
  const look = `hex tile side-${piece.owner} ${isSelected ? "selected" : ""} ${isLast ? "last" : ""}`;
  const group = s("g", {}, s("polygon", { points: hexagon(middle, SIZE - 3), class: look }));
  if (isTop) {
    group.append(bug(piece.kind, piece.owner, middle[0], middle[1], SIZE * 1.38));
    if (level > 0) {
      const [hx, hy] = [middle[0] + SIZE * 0.5, middle[1] + SIZE * 0.45];
      group.append(s("circle", { cx: hx, cy: hy, r: 9, class: "badge" }), s("text", { x: hx, y: hy + 4.5, class: "height" }, String(level + 1)));
    }
    if (piece.stuck === "the hive would split") group.append(pin(middle));
    if (piece.stuck === "has just been moved by the opponent") group.append(star(middle));
  }
  return group;
}

/** A pin: the piece holds the hive together. */
function pin([x, y]) {
  const [px, py] = [x - SIZE * 0.55, y - SIZE * 0.32];
  return s("g", { class: "pin" },
    s("circle", { cx: px, cy: py, r: 5 }), s("line", { x1: px, y1: py, x2: px, y2: py + 11 }));
}

/** Stars: the piece is stunned. */
function star([x, y]) {
  return s("text", { x: x - SIZE * 0.6, y: y - SIZE * 0.2, class: "stunned" }, "✶");
}

export function reserve(item) {
  return s("svg", { viewBox: "-40 -42 80 84", class: "hand" },
    s("polygon", { points: hexagon([0, 0], SIZE - 2), class: `hex tile side-${item.owner}` }),
    bug(item.kind, item.owner, 0, 0, SIZE * 1.38));
}

export function reserveName(item) {
  return `${SIDES[item.owner]} ${NAMES[item.kind]}`;
}

export function place(ctx, action) {
  const find = (id) => ctx.position.board.cells.find((other) => other.id === id);
  const cell = find(action.clicks[1]);
  if (!cell) return null;
  const [x, y] = centre(ctx, cell);
  const from = action.from && find(action.from);
  const stack = (ctx.position.board.pieces ?? []).filter((piece) => piece.cell === cell.id).length;
  const up = y - LIFT * stack;
  const kind = action.clicks[0][1];
  const owner = action.clicks[0][0] === "w" ? 0 : 1;
  return {
    x, y: up, r: SIZE * 0.6, polygon: hexagon([x, up], SIZE - 4),
    line: from ? [...centre(ctx, from), x, up] : null,
    ghost: (opacity) => bug(kind, owner, x, up, SIZE, opacity),
  };
}
