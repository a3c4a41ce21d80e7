// The board that all games share: it draws a position by the game's module, follows clicks, keys and
// touch from target to target, and puts marks on moves. It knows no rule: the legal actions of the
// position say which clicks lead to a move.

import { append, button, h, replace, s } from "./dom.js";
import { gameOf } from "./game.js";

/**
 * What a module draws from.
 * @typedef {object} Context
 * @property {any} position
 * @property {boolean} flipped
 * @property {boolean} showCounts
 * @property {string[]} selection targets clicked so far
 * @property {(id: string) => boolean} isNext whether a click on a target continues a move
 * @property {(node: SVGElement, ids: string[], label: string) => SVGElement} target
 */

/**
 * A mark on a move.
 * @typedef {object} Mark
 * @property {any} action
 * @property {number} share 0 to 1: its size
 * @property {number|null} loss what it loses against the best, in results
 * @property {string} label
 * @property {boolean} isBest
 */

/** Pixels that a pointer may move in a click. */
const STILL = 6;

export class Board {
  /**
   * @param {{onaction: (action: any) => void, onrefused: (clicks: string[], words: string|null) => void}} handlers
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.options = { flipped: false, interactive: true, marks: [], showCounts: true, preview: false };
    this.selection = [];
    this.position = null;
    this.view = null;
    this.pointers = new Map();
    this.svg = s("svg", { class: "board", role: "group" });
    this.buttons = h("div", { class: "board-buttons" });
    this.fit = button("fit", () => this.resetView(), { class: "fit small", title: "Show all (0)" });
    this.element = h("div", { class: "board-frame" }, this.svg, this.fit, this.buttons);
    this.hands = [0, 1].map((player) => h("div", { class: "hand-row", "data-player": player }));
    this.listen();
  }

  /** Shows a position; options that are not given stay as they are. */
  show(position, options = {}) {
    if (position.game !== this.position?.game) this.view = null;
    if (position !== this.position) this.selection = [];
    this.position = position;
    Object.assign(this.options, options);
    this.render();
  }

  get module() {
    return gameOf(this.position.game).module;
  }

  /** The actions that begin with what is selected. */
  continuing(clicks) {
    if (!this.options.interactive) return [];
    return this.position.actions.filter((action) => clicks.every((click, at) => action.clicks[at] === click));
  }

  context() {
    const next = new Set(this.continuing(this.selection).map((action) => action.clicks[this.selection.length]));
    const first = new Set(this.continuing([]).map((action) => action.clicks[0]));
    return {
      position: this.position,
      flipped: this.options.flipped,
      showCounts: this.options.showCounts,
      selection: this.selection,
      isNext: (id) => next.has(id),
      target: (node, ids, label, extra = {}) => {
        const goesOn = ids.some((id) => next.has(id));
        const begins = this.selection.length > 0 && ids.some((id) => first.has(id));
        node.dataset.targets = ids.join(" ");
        node.setAttribute("role", "button");
        node.setAttribute("tabindex", "-1");
        node.setAttribute("aria-label", label + (goesOn ? ", possible" : ""));
        node.classList.add("target");
        if (goesOn) node.classList.add("next");
        if (begins) node.classList.add("begins");
        if (extra.title) node.append(s("title", {}, extra.title));
        return node;
      },
    };
  }

  render() {
    const focused = document.activeElement?.dataset?.targets;
    const context = this.context();
    const drawn = this.module.draw(context);
    this.home = drawn.view;
    this.zoomable = drawn.zoomable ?? false;
    this.applyView();
    const marks = s("g", { class: "marks", "aria-hidden": "true" }, this.drawMarks(context));
    const { game } = this.position;
    this.svg.setAttribute("class", `board ${game.split(":")[0]} ${this.options.interactive ? "" : "still"} ${this.options.preview ? "preview" : ""}`);
    this.svg.setAttribute("aria-label", `${gameOf(game).title}: arrow keys move about the board, Enter plays`);
    replace(this.svg, drawn.nodes, marks);
    this.renderHands(context);
    replace(this.buttons, (this.position.board.buttons ?? []).map((item) =>
      h("button", { type: "button", data: { targets: item.id }, class: "target next" }, item.label)));
    this.fit.hidden = !this.zoomable || this.view === null;
    this.restoreFocus(focused);
  }

  renderHands(context) {
    for (const player of [0, 1]) {
      const items = (this.position.board.reserves ?? []).filter((item) => item.owner === player);
      replace(this.hands[player], items.map((item) => {
        const selected = this.selection[0] === item.id ? "selected" : "";
        const node = h("button", { type: "button", class: `reserve ${selected}`, title: this.module.reserveName(item) },
          this.module.reserve(item), item.count > 1 && h("span", { class: "count" }, `×${item.count}`));
        return context.target(node, [item.id], `${this.module.reserveName(item)}, ${item.count} in hand`);
      }));
    }
  }

  /** One target takes part in the order of Tab; arrows lead from it to the others. */
  restoreFocus(focused) {
    const all = this.targets();
    const again = all.find((node) => node.dataset.targets === focused);
    const first = again ?? all.find((node) => node.classList.contains("next")) ?? all[0];
    if (first) first.setAttribute("tabindex", "0");
    if (again && focused) again.focus({ preventScroll: true });
  }

  targets() {
    const parts = [this.svg, this.buttons, ...this.hands];
    return parts.flatMap((part) => [...part.querySelectorAll(".target")]);
  }

  // Clicks.

  /** A click on a place with these targets, the topmost first. */
  click(ids) {
    if (!this.options.interactive) return;
    for (const id of ids) {
      const clicks = [...this.selection, id];
      const actions = this.continuing(clicks);
      const complete = actions.find((action) => action.clicks.length === clicks.length);
      if (complete) {
        this.selection = [];
        this.handlers.onaction(complete);
        return;
      }
      if (actions.length > 0) return this.select(clicks);
    }
    const same = ids.includes(this.selection[0]);
    const other = ids.find((id) => this.continuing([id]).length > 0);
    if (same) return this.select([]);
    if (other) return this.select([other]);
    this.refuse(ids);
  }

  refuse(ids) {
    const clicks = [...this.selection, ids.at(-1)];
    const piece = (this.position.board.pieces ?? []).find((item) => ids.includes(item.id));
    let words = null;
    if (this.selection.length === 0) {
      const needsPiece = this.position.actions.some((action) => action.clicks.length > 1);
      if (piece?.stuck) words = `${piece.id} cannot move: ${piece.stuck}`;
      else if (piece && piece.owner !== this.position.player) words = `${piece.id} is not yours to move`;
      else if (needsPiece) words = "First choose a piece, then where it goes";
    }
    this.handlers.onrefused(clicks, words);
  }

  select(clicks) {
    this.selection = clicks;
    this.render();
  }

  /** The legal action that a click here would play. */
  actionAt(node) {
    const ids = node?.dataset?.targets?.split(" ") ?? [];
    for (const id of ids) {
      const clicks = [...this.selection, id];
      const found = this.continuing(clicks).find((action) => action.clicks.length === clicks.length);
      if (found) return found;
    }
    return null;
  }

  listen() {
    const onclick = (event) => {
      const node = event.target.closest?.("[data-targets]");
      if (!node || this.moved) return;
      this.click(node.dataset.targets.split(" "));
    };
    const onkey = (event) => this.key(event);
    for (const part of [this.svg, this.buttons, ...this.hands]) {
      part.addEventListener("click", onclick);
      part.addEventListener("keydown", onkey);
    }
    this.svg.addEventListener("pointerover", (event) => this.hover(event.target.closest("[data-targets]")));
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    // Arrows go about the board for who came to it by Tab; after a click they go through the moves.
    document.addEventListener("keydown", (event) => { if (event.key === "Tab") this.byKeys = true; });
    document.addEventListener("pointerdown", () => { this.byKeys = false; });
    this.listenToPan();
  }

  /** Shows what a move here would change. */
  hover(node) {
    for (const part of this.svg.querySelectorAll(".pending")) part.classList.remove("pending");
    const action = node && this.actionAt(node);
    for (const id of action?.changes ?? []) {
      this.svg.querySelector(`[data-part="${id}"]`)?.classList.add("pending");
    }
  }

  // Keys.

  key(event) {
    const node = event.target.closest("[data-targets]");
    if (event.key === "Escape" && this.selection.length > 0) {
      this.select([]);
    } else if ((event.key === "Enter" || event.key === " ") && node && !(node instanceof HTMLButtonElement)) {
      this.click(node.dataset.targets.split(" "));
    } else if (event.key.startsWith("Arrow") && node && this.byKeys) {
      this.step(node, event.key.slice(5));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the focus to the nearest target in a direction. */
  step(node, direction) {
    const middle = (item) => {
      const box = item.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(node);
    const along = { Left: [-1, 0], Right: [1, 0], Up: [0, -1], Down: [0, 1] }[direction];
    let best = null;
    let least = Infinity;
    for (const other of this.targets()) {
      const [ox, oy] = middle(other);
      const [dx, dy] = [ox - x, oy - y];
      const ahead = dx * along[0] + dy * along[1];
      const aside = Math.abs(dx * along[1]) + Math.abs(dy * along[0]);
      const distance = ahead + 2 * aside;
      if (other !== node && ahead > 2 && distance < least) [best, least] = [other, distance];
    }
    if (!best) return;
    node.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
    this.hover(best);
  }

  // Pan and zoom, where a board has no edges.

  applyView() {
    this.svg.setAttribute("viewBox", (this.zoomable && this.view ? this.view : this.home).join(" "));
  }

  resetView() {
    this.view = null;
    this.fit.hidden = true;
    this.applyView();
  }

  /** A point of the screen on the board. */
  toBoard(x, y) {
    const box = this.svg.getBoundingClientRect();
    const [vx, vy, vw, vh] = this.view ?? this.home;
    const scale = Math.max(vw / box.width, vh / box.height);
    return [vx + vw / 2 + (x - box.x - box.width / 2) * scale, vy + vh / 2 + (y - box.y - box.height / 2) * scale, scale];
  }

  zoom(factor, x, y) {
    const [px, py] = this.toBoard(x, y);
    const [vx, vy, vw, vh] = this.view ?? this.home;
    const bound = Math.min(4, Math.max(0.25, (vw * factor) / this.home[2])) * this.home[2] / vw;
    this.view = [px - (px - vx) * bound, py - (py - vy) * bound, vw * bound, vh * bound];
    this.fit.hidden = false;
    this.applyView();
  }

  listenToPan() {
    const { svg, pointers } = this;
    svg.addEventListener("wheel", (event) => {
      if (!this.zoomable) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1, event.clientX, event.clientY);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.moved = false;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
    });
    const release = (event) => pointers.delete(event.pointerId);
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, release);
    svg.addEventListener("pointermove", (event) => {
      const pointer = pointers.get(event.pointerId);
      if (!pointer || !this.zoomable) return;
      const far = Math.hypot(event.clientX - pointer.startX, event.clientY - pointer.startY);
      if (far > STILL) this.moved = true;
      if (this.moved) this.drag(pointer, event);
      [pointer.x, pointer.y] = [event.clientX, event.clientY];
    });
  }

  drag(pointer, event) {
    const others = [...this.pointers.values()].filter((other) => other !== pointer);
    if (others.length === 1) {
      const [other] = others;
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      this.zoom(before / Math.max(after, 1), (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
      return;
    }
    const [ax, ay] = this.toBoard(pointer.x, pointer.y);
    const [bx, by] = this.toBoard(event.clientX, event.clientY);
    const [vx, vy, vw, vh] = this.view ?? this.home;
    this.view = [vx + ax - bx, vy + ay - by, vw, vh];
    this.fit.hidden = false;
    this.applyView();
  }

  // Marks.

  /** Marks of moves that end on the same place are one, as large as all of them. */
  merged() {
    const places = new Map();
    for (const mark of this.options.marks) {
      const { clicks } = mark.action;
      if (!this.selection.every((click, at) => clicks[at] === click)) continue;
      const key = clicks.at(-1);
      const known = places.get(key);
      if (!known) {
        places.set(key, { ...mark });
      } else {
        known.share += mark.share;
        if (mark.share > known.top) Object.assign(known, { action: mark.action, loss: mark.loss, label: mark.label });
        known.isBest ||= mark.isBest;
      }
      places.get(key).top = Math.max(places.get(key).top ?? 0, mark.share);
    }
    return [...places.values()].sort((a, b) => a.share - b.share);
  }

  drawMarks(context) {
    const marks = this.merged();
    return marks.map((mark, index) => {
      const place = this.module.place(context, mark.action);
      if (!place) return null;
      return drawMark(mark, place, marks.length - 1 - index);
    });
  }
}

/** The colour of a loss: three steps that colour-blind people can tell apart. */
export function lossClass(loss) {
  if (loss === null || loss === undefined) return "loss-unknown";
  if (loss < 0.06) return "loss-none";
  return loss < 0.3 ? "loss-some" : "loss-much";
}

/** @param {Mark} mark @param {number} rank from the largest on */
function drawMark(mark, place, rank) {
  const size = Math.sqrt(Math.min(1, Math.max(0.015, mark.share)));
  const look = `mark ${lossClass(mark.loss)} ${mark.isBest ? "best" : ""}`;
  const group = s("g", { class: look });
  if (place.line) {
    const [x1, y1, x2, y2] = place.line;
    group.append(s("line", { x1, y1, x2, y2, "stroke-width": 2 + 8 * size, opacity: 0.25 + 0.6 * size, class: "heat" }));
  }
  if (!place.line || place.polygon) {
    group.append(s("circle", { cx: place.x, cy: place.y, r: place.r * (0.25 + 0.7 * size), opacity: 0.25 + 0.55 * size, class: "heat" }));
  }
  if (place.ghost && (mark.isBest || rank === 0)) append(group, [place.ghost(0.75)]);
  if (mark.isBest) group.append(s("circle", { cx: place.x, cy: place.y, r: place.r, class: "ring" }));
  if (mark.label && rank < 6) {
    group.append(s("text", { x: place.x, y: place.y + 4.5, class: "mark-label" }, mark.label));
  }
  return group;
}
