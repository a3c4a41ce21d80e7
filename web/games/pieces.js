// The pieces, drawn by hand: chess pieces in a square of 50, bugs in a circle of radius 30.

import { s } from "../dom.js";

const BASE = "M-13,17h26l-2,-7h-22z";
const CHESS = {
  K: ["M-2,-20h4v4h4v4h-4v4h-4v-4h-4v-4h4z", "M-9,10c-8,-9 -5,-18 3,-17c3,0 5,2 6,4c1,-2 3,-4 6,-4c8,-1 11,8 3,17z", BASE],
  Q: ["M-10,10l-6,-20l8,9l1,-13l7,12l7,-12l1,13l8,-9l-6,20z", BASE],
  R: ["M-10,-15h5v4h3v-4h4v4h3v-4h5v8l-3,3v14h-14v-14l-3,-3z", BASE],
  B: ["M0,-20a3,3 0 1 1 0,6c7,4 9,10 5,18l3,7h-16l3,-7c-4,-8 -2,-14 5,-18a3,3 0 0 1 0,-6z", BASE],
  N: ["M-9,11c-1,-8 7,-10 6,-16c-3,2 -5,4 -9,4l-3,-4l7,-9l2,-6l4,4c9,1 13,9 12,27z", BASE],
};
const DETAIL = {
  K: "M0,-3v12M-7,8h14",
  Q: "M-9,6h18",
  R: "M-7,-5h14M-7,7h14",
  B: "M0,-10v7M-3,-7h6M-7,6h14",
  N: "M-4,-10v1",
};
const DOTS = { Q: [[-16, -11], [-8, -15], [0, -17], [8, -15], [16, -11]] };

/** A chess piece around a point. */
export function chessPiece(kind, owner, x, y, size, opacity = 1) {
  const scale = size / 50;
  return s("g", {
    transform: `translate(${x} ${y}) scale(${scale})`, class: `chess side-${owner}`, opacity, "aria-hidden": "true",
  },
    CHESS[kind].map((d) => s("path", { d })),
    (DOTS[kind] ?? []).map(([cx, cy]) => s("circle", { cx, cy, r: 2.6 })),
    s("path", { d: DETAIL[kind], class: "detail" }));
}

const BUGS = {
  Q: () => [
    s("path", { d: "M-3,-8c-16,-16 -26,-6 -20,2c4,6 14,5 20,2zM3,-8c16,-16 26,-6 20,2c-4,6 -14,5 -20,2z", class: "wing" }),
    s("ellipse", { cx: 0, cy: 7, rx: 10, ry: 17, class: "body" }),
    s("path", { d: "M-10,4h20M-9.5,12h19M-6,19h12", class: "stripe" }),
    s("circle", { cx: 0, cy: -13, r: 7, class: "body" }),
    s("path", { d: "M-3,-19l-5,-7M3,-19l5,-7", class: "leg" }),
  ],
  S: () => [
    s("path", { d: "M-6,-2l-12,-8l-6,-10M-7,2l-14,-3l-6,5M-6,6l-13,5l-3,10M-4,9l-7,10l1,7M6,-2l12,-8l6,-10M7,2l14,-3l6,5M6,6l13,5l3,10M4,9l7,10l-1,7", class: "leg" }),
    s("ellipse", { cx: 0, cy: 9, rx: 10, ry: 12, class: "body" }),
    s("circle", { cx: 0, cy: -7, r: 7.5, class: "body" }),
    s("path", { d: "M-4,9h8M0,5v8", class: "stripe" }),
  ],
  B: () => [
    s("path", { d: "M-11,-4l-10,-6M-13,6l-11,1M-11,15l-9,8M11,-4l10,-6M13,6l11,1M11,15l9,8M-4,-20c-2,-6 -8,-7 -9,-3M4,-20c2,-6 8,-7 9,-3", class: "leg" }),
    s("ellipse", { cx: 0, cy: 6, rx: 14, ry: 19, class: "body" }),
    s("path", { d: "M-10,-12c4,-10 16,-10 20,0z", class: "body" }),
    s("path", { d: "M0,-9v34M-12,-4h24", class: "stripe" }),
  ],
  G: () => [
    s("path", { d: "M-5,4l-16,-16l-4,30M5,4l16,-16l4,30M-4,-8l-9,-5M4,-8l9,-5M-3,-20c-3,-5 -8,-7 -11,-6M3,-20c3,-5 8,-7 11,-6", class: "leg" }),
    s("path", { d: "M0,27c-10,-8 -9,-28 -5,-36h10c4,8 5,28 -5,36z", class: "body" }),
    s("ellipse", { cx: 0, cy: -14, rx: 6, ry: 7.5, class: "body" }),
    s("path", { d: "M0,-8v30", class: "stripe" }),
  ],
  A: () => [
    s("path", { d: "M-3,-2l-14,-9l-5,4M-3,2l-16,2l-4,6M-3,4l-12,11l-2,8M3,-2l14,-9l5,4M3,2l16,2l4,6M3,4l12,11l2,8M-3,-19l-8,-7M3,-19l8,-7", class: "leg" }),
    s("ellipse", { cx: 0, cy: 16, rx: 8, ry: 11, class: "body" }),
    s("ellipse", { cx: 0, cy: 0, rx: 5.5, ry: 7, class: "body" }),
    s("circle", { cx: 0, cy: -14, r: 7, class: "body" }),
  ],
  M: () => [
    s("path", { d: "M-3,-2l-14,10l-3,14M-3,1l-8,14l1,11M3,-2l14,10l3,14M3,1l8,14l-1,11M0,-17v-11", class: "leg" }),
    s("path", { d: "M-3,-4c-20,-13 -26,-3 -22,1c5,4 16,4 22,2zM3,-4c20,-13 26,-3 22,1c-5,4 -16,4 -22,2z", class: "wing" }),
    s("ellipse", { cx: 0, cy: 10, rx: 4.5, ry: 15, class: "body" }),
    s("circle", { cx: 0, cy: -6, r: 6, class: "body" }),
    s("circle", { cx: 0, cy: -15, r: 5, class: "body" }),
  ],
  L: () => [
    s("path", { d: "M-15,-2l-7,-4M-17,8l-7,2M-12,18l-6,6M15,-2l7,-4M17,8l7,2M12,18l6,6M-3,-19l-6,-6M3,-19l6,-6", class: "leg" }),
    s("path", { d: "M-9,-10c2,-11 16,-11 18,0z", class: "head" }),
    s("circle", { cx: 0, cy: 6, r: 17, class: "body" }),
    s("path", { d: "M0,-11v34", class: "stripe" }),
    [[-7, -1], [7, -1], [-8, 10], [8, 10], [-3.5, 17], [3.5, 17]].map(([cx, cy]) => s("circle", { cx, cy, r: 2.6, class: "spot" })),
  ],
  P: () => [
    s("path", { d: "M-12,-8l-7,-4M-14,0l-8,0M-14,8l-8,4M-11,16l-7,7M12,-8l7,-4M14,0l8,0M14,8l8,4M11,16l7,7M-3,-22l-6,-5M3,-22l6,-5", class: "leg" }),
    s("ellipse", { cx: 0, cy: 2, rx: 14, ry: 24, class: "body" }),
    s("path", { d: "M-11,-11c6,5 16,5 22,0M-13,-3c7,5 19,5 26,0M-13,6c7,5 19,5 26,0M-11,15c6,5 16,5 22,0", class: "stripe" }),
  ],
};

/** A bug around a point. */
export function bug(kind, owner, x, y, size, opacity = 1) {
  const scale = size / 62;
  return s("g", {
    transform: `translate(${x} ${y}) scale(${scale})`, class: `bug bug-${kind} side-${owner}`, opacity, "aria-hidden": "true",
  }, BUGS[kind]());
}
