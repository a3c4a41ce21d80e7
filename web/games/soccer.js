// Paper Soccer: the pitch, the ball's way so far, and the points that it can go to.

import { s } from "../dom.js";

export const SIDES = ["Blue", "Orange"];

const STEP = 42;

function at(ctx, [x, y]) {
  return ctx.flipped ? [-x * STEP, y * STEP] : [x * STEP, -y * STEP];
}

function point(id) {
  return id.slice(1).split(",").map(Number);
}

/** @param {import("../board.js").Context} ctx */
export function draw(ctx) {
  const { board, latest } = ctx.position;
  const [width, height] = board.size;
  const [w, h] = [width / 2, height / 2];
  const line = (edge, look) => {
    const [[x1, y1], [x2, y2]] = [at(ctx, edge.from), at(ctx, edge.to)];
    return s("line", { x1, y1, x2, y2, class: look });
  };
  const grass = [
    s("rect", { x: -w * STEP, y: -h * STEP, width: width * STEP, height: height * STEP, class: "pitch" }),
    ...[1, -1].map((end) => {
      const [, y] = at(ctx, [0, end * (h + 1)]);
      const top = Math.min(y, y - Math.sign(y) * STEP);
      return s("rect", { x: -STEP, y: top, width: 2 * STEP, height: STEP, class: `goal fill-${end > 0 ? 0 : 1}` });
    }),
    ...grid(w, h),
  ];
  const drawn = board.edges.filter((edge) => edge.drawn).map((edge) => line(edge, "segment"));
  const walls = board.edges.filter((edge) => !edge.drawn).map((edge) => line(edge, "wall"));
  const trail = latest.map((step) =>
    line({ from: point(step.from), to: point(step.clicks[0]) }, `segment last stroke-${step.player}`));
  const points = board.cells.map((cell) => {
    const [cx, cy] = at(ctx, [cell.x, cell.y]);
    const dot = s("g", {},
      s("circle", { cx, cy, r: STEP / 2.1, class: "hit" }),
      s("circle", { cx, cy, r: 3.2, class: `point ${cell.status}` }));
    if (ctx.isNext(cell.id)) {
      dot.append(s("circle", { cx, cy, r: 9, class: `reach ${cell.status === "fresh" ? "" : "bounce"}` }));
    }
    const what = cell.status === "goal" ? `goal of ${SIDES[1 - cell.owner]}` : cell.status;
    return ctx.target(dot, [cell.id], `point ${cell.name}, ${what}`);
  });
  const [bx, by] = at(ctx, point(board.ball));
  const ball = s("g", { class: "ball" },
    s("circle", { cx: bx, cy: by, r: 10 }),
    s("path", { d: `M${bx},${by - 4.5}l4.3,3.1l-1.6,5h-5.4l-1.6,-5z` }));
  const margin = 16;
  const view = [-w * STEP - margin, -(h + 1) * STEP - margin,
    width * STEP + 2 * margin, (height + 2) * STEP + 2 * margin];
  return { view, nodes: [grass, drawn, walls, trail, ball, points] };
}

function grid(w, h) {
  const lines = [];
  for (let x = -w; x <= w; x++) {
    lines.push(s("line", { x1: x * STEP, x2: x * STEP, y1: -h * STEP, y2: h * STEP, class: "grid" }));
  }
  for (let y = -h; y <= h; y++) {
    lines.push(s("line", { y1: y * STEP, y2: y * STEP, x1: -w * STEP, x2: w * STEP, class: "grid" }));
  }
  return lines;
}

export function place(ctx, action) {
  const [x, y] = at(ctx, point(action.clicks[0]));
  const [fx, fy] = at(ctx, point(action.from));
  return { x, y, r: 15, line: [fx, fy, x, y] };
}
