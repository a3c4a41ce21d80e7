// Review: a game judged decision by decision, exactly where the solver reaches.

import { follow, isAbort } from "./api.js";
import { button, h, percent, replace, s, say, select, signed } from "./dom.js";
import { sideName } from "./game.js";
import { MoveList } from "./moves.js";

/** What a decision loses, in results of -1 to 1, from where on it is called so. */
const SIZES = [["blunder", 0.6], ["mistake", 0.3], ["inaccuracy", 0.12]];

/** How a loss is called; exact ones are results given away, and always at least a mistake. */
function judgementOf(judged) {
  if (judged.loss === null) return "good";
  if (judged.exact) return judged.loss >= 1.5 ? "blunder" : judged.loss > 0 ? "mistake" : "good";
  return SIZES.find(([, least]) => judged.loss >= least)?.[0] ?? "good";
}

export class ReviewPanel {
  constructor(app) {
    this.app = app;
    this.moves = new MoveList(app);
    this.head = h("div", { class: "row wrap" });
    this.graph = s("svg", { class: "graph", viewBox: "0 0 400 150", role: "img", "aria-label": "The evaluation over the game" });
    this.words = h("div", { class: "verdict" });
    this.summary = h("div", { class: "summary" });
    this.judged = [];
    this.effort = 0;
    this.pasted = h("textarea", { rows: 2, maxlength: 20000, placeholder: "paste a game: its moves, a state, or a GameString of Hive", "aria-label": "Paste a game" });
    this.element = h("div", { class: "panel" },
      h("section", { class: "card" }, this.head, this.graph, this.words,
        h("div", { class: "row wrap" },
          button("Previous mistake", () => this.toMistake(-1), { title: "Previous mistake (M)" }),
          button("Next mistake", () => this.toMistake(1), { title: "Next mistake (m)", class: "primary" }),
          button("Try again from here", () => this.tryAgain(), { title: "Play on from this position" }),
          button("Analyse", () => app.open("analyse")))),
      h("section", { class: "card" }, this.summary), this.moves.element,
      h("section", { class: "card" }, h("details", {}, h("summary", {}, "Review another game"), this.pasted,
        button("Open", async () => { if (await app.importText(this.pasted.value)) { this.pasted.value = ""; this.start(); } }))));
    this.graph.addEventListener("click", (event) => this.clickGraph(event));
  }

  /** The nodes of the game: the main line through the current position. */
  get line() {
    return this.nodes ?? this.app.tree.mainLine();
  }

  enter() {
    this.nodes = this.app.tree.mainLine();
    const key = JSON.stringify(this.app.tree.line(this.nodes.at(-1)));
    if (key !== this.key) this.start();
  }

  async drawHead() {
    const agents = (await this.app.agents(this.app.tree.game)).filter((agent) => agent.efforts.length > 0 && !agent.exact);
    if (!agents.some((agent) => agent.id === this.agent)) this.agent = agents[0].id;
    const agent = agents.find((other) => other.id === this.agent);
    const who = select({ "aria-label": "Who judges what cannot be solved", onchange: () => { this.agent = who.value; this.start(); } },
      agents.map((other) => [other.id, other.name]), this.agent);
    const effort = select({ "aria-label": "How long a decision", onchange: () => { this.effort = Number(effort.value); this.start(); } },
      agent.efforts.map((name, index) => [index, name]), this.effort);
    replace(this.head, "Judged exactly where the solver reaches, else by", who, effort);
  }

  /** Judges the whole game. */
  async start() {
    const { app } = this;
    this.stop();
    this.nodes = app.tree.mainLine();
    this.key = JSON.stringify(app.tree.line(this.nodes.at(-1)));
    this.judged = [];
    await this.drawHead();
    this.show();
    if (this.nodes.length < 2) return;
    const stopper = new AbortController();
    this.stopper = stopper;
    const body = { line: app.tree.line(this.nodes.at(-1)), agent: { id: this.agent, level: this.effort } };
    try {
      await follow("/api/review", body, stopper.signal, (name, value) => {
        if (name === "failed") return say(value, "error");
        if (name === "judged") this.add(value);
      });
      this.isDone = true;
      this.show();
    } catch (error) {
      if (!isAbort(error)) say(error.message, "error");
    }
  }

  /** A decision is judged: by exact values, or by the estimate after it. */
  add(value) {
    const before = this.judged.at(-1);
    this.judged.push(value);
    if (before) this.judge(before, value);
    const sign = value.player === 0 ? 1 : -1;
    if (value.exact && value.played) {
      value.loss = Math.max(0, sign * (value.best.proven - value.played.proven));
      value.points = value.best.lead === null ? 0 : sign * (value.best.lead - value.played.lead);
    } else {
      // The last decision has no position after it: what was said of the move itself.
      const played = value.played?.proven ?? value.played?.value ?? null;
      value.loss = played === null || value.value === null ? null : Math.max(0, sign * (value.value - played));
    }
    this.mark(value);
    this.show();
    this.moves.update();
  }

  /** A searched value is better judged by the search of the position that it led to. */
  judge(before, after) {
    if (before.exact || before.value === null || after.value === null || !before.played) return;
    const sign = before.player === 0 ? 1 : -1;
    before.loss = before.played.action === before.best.action ? 0 : Math.max(0, sign * (before.value - after.value));
    this.mark(before);
  }

  mark(value) {
    value.judgement = value.played ? judgementOf(value) : "good";
    const node = this.nodes[value.ply + 1];
    if (node) {
      node.judged = value.judgement;
      node.player = value.player;
    }
  }

  update() {
    this.moves.update();
    this.show();
  }

  leave() {
    this.stop();
  }

  stop() {
    this.stopper?.abort();
    this.stopper = null;
    this.isDone = false;
  }

  get mistakes() {
    return this.judged.filter((value) => value.judgement && value.judgement !== "good");
  }

  /** To the position before the next mistake. */
  toMistake(step) {
    const ply = this.app.tree.current.ply;
    const plies = this.mistakes.map((value) => value.ply);
    const next = step > 0 ? plies.find((at) => at > ply) ?? plies[0] : plies.findLast((at) => at < ply) ?? plies.at(-1);
    if (next === undefined) return say(this.isDone ? "No mistake was found." : "No mistake so far: the game is still being judged.");
    this.app.go(this.nodes[next]);
  }

  tryAgain() {
    const { app } = this;
    const player = app.position.player;
    if (player !== null && app.seats[player].id !== "human") app.seats.reverse();
    app.branch();
    app.open("play");
  }

  clickGraph(event) {
    const box = this.graph.getBoundingClientRect();
    const share = (event.clientX - box.x) / box.width;
    const at = Math.round(share * (this.nodes.length - 1));
    this.app.go(this.nodes[Math.max(0, Math.min(this.nodes.length - 1, at))]);
  }

  show() {
    if (this.app.page !== "review") return;
    this.drawGraph();
    this.drawWords();
    this.drawSummary();
    const now = this.judged[this.app.tree.current.ply];
    const marks = [];
    if (now && this.nodes[now.ply] === this.app.tree.current && now.played) {
      const find = (id) => this.app.position.actions.find((other) => other.action === id);
      const isBad = now.judgement !== "good";
      marks.push({ action: find(now.best.action), share: 0.5, loss: 0, label: isBad ? "best" : "", isBest: true });
      if (isBad) marks.push({ action: find(now.played.action), share: 0.5, loss: now.loss, label: "played", isBest: false });
    }
    this.app.board.show(this.app.position, { marks: marks.filter((mark) => mark.action), preview: false });
  }

  drawGraph() {
    const [width, height] = [400, 150];
    const n = Math.max(1, this.nodes.length - 1);
    const at = (value) => [value.ply / n * width, height / 2 - (value.value ?? 0) * (height / 2 - 8)];
    const known = this.judged.filter((value) => value.value !== null);
    const pieces = [];
    for (let index = 1; index < known.length; index++) {
      const [[x1, y1], [x2, y2]] = [at(known[index - 1]), at(known[index])];
      pieces.push(s("line", { x1, y1, x2, y2, class: known[index].exact ? "exact" : "estimated" }));
    }
    const mistakes = this.mistakes.map((value) => {
      const [cx, cy] = at(value);
      return s("circle", { cx, cy, r: { blunder: 7, mistake: 5.5, inaccuracy: 4 }[value.judgement], class: `judged ${value.judgement}` },
        s("title", {}, `${value.played.text}: ${value.judgement}`));
    });
    const x = this.app.tree.current.ply / n * width;
    const { game } = this.app.tree;
    replace(this.graph,
      s("rect", { x: 0, y: 0, width, height: height / 2, class: "half-0" }), s("rect", { x: 0, y: height / 2, width, height: height / 2, class: "half-1" }),
      s("text", { x: 6, y: 16, class: "axis" }, `${sideName(game, 0)} wins`), s("text", { x: 6, y: height - 7, class: "axis" }, `${sideName(game, 1)} wins`),
      s("line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, class: "zero" }), pieces, mistakes,
      s("line", { x1: x, x2: x, y1: 0, y2: height, class: "now" }));
  }

  drawWords() {
    const value = this.judged[this.app.tree.current.ply];
    if (this.nodes.length < 2) {
      replace(this.words, h("p", {}, "There is no game yet: play one, or paste one below."));
      return;
    }
    if (!value) {
      const left = `${this.judged.length} of ${this.nodes.length - 1} decisions judged`;
      replace(this.words, h("p", { class: "quiet" }, this.isDone ? "The end of the game." : `${left}…`));
      return;
    }
    const side = sideName(this.app.tree.game, value.player);
    const tag = h("span", { class: `tag ${value.exact ? "exact" : "estimated"}` }, value.exact ? "✓ exact" : "≈ estimate");
    const only = value.exact && value.n_keeping === 1 && value.n_legal > 1 ? " It was the only move that keeps the result." : "";
    const sentence = !value.played ? `Best here: ${value.best.text}.`
      : value.judgement === "good" ? `${side} played ${value.played.text}: good.${only}`
        : `${side} played ${value.played.text}: ${article(value.judgement)}. Best was ${value.best.text}${lossWords(value)}.${only}`;
    replace(this.words, tag, h("strong", {}, sentence), value.best.line.length > 1 && h("small", {}, `Best line: ${value.best.line.slice(0, 10).join(" ")}`));
  }

  drawSummary() {
    const { game } = this.app.tree;
    const sides = [0, 1].map((player) => this.sums(player));
    const titles = ["decisions", "blunders ??", "mistakes ?", "inaccuracies ?!", "result kept, exact", "mean loss, estimate"];
    replace(this.summary, h("h2", {}, "Summary"), h("table", {},
      h("thead", {}, h("tr", {}, h("th", {}), [0, 1].map((player) => h("th", {}, sideName(game, player))))),
      h("tbody", {}, titles.map((title, at) => h("tr", {}, h("th", {}, title), sides.map((sums) => h("td", {}, sums[at])))))));
  }

  /** What is counted of a player. */
  sums(player) {
    const mine = this.judged.filter((value) => value.player === player && value.played);
    const count = (name) => String(mine.filter((value) => value.judgement === name).length);
    const exact = mine.filter((value) => value.exact);
    const kept = exact.filter((value) => value.loss === 0).length;
    const estimated = mine.filter((value) => !value.exact && value.loss !== null);
    const mean = estimated.reduce((sum, value) => sum + value.loss, 0) / Math.max(1, estimated.length);
    return [String(mine.length), count("blunder"), count("mistake"), count("inaccuracy"),
      exact.length ? `${percent(kept / exact.length)} of ${exact.length}` : "–", estimated.length ? mean.toFixed(3) : "–"];
  }
}

function article(name) {
  return name === "inaccuracy" ? "an inaccuracy" : `a ${name}`;
}

function lossWords(value) {
  if (value.exact) {
    const results = { 2: "a win became a loss", 1: "half the result is gone" };
    return `: ${results[value.loss] ?? "the result stays"}`;
  }
  return `, worth ${signed(value.loss)} in results`;
}
