// Analysis: an agent's view of the position while it searches, on the board and as a table. Exact and
// estimated are kept apart everywhere, in words and in colour.

import { follow, isAbort, post } from "./api.js";
import { button, grouped, h, percent, replace, say, scrolling, select, signed } from "./dom.js";
import { sideName } from "./game.js";
import { MoveList } from "./moves.js";

/** Moves of the table. */
const MOST_MOVES = 12;

/** Results in words, by the return of the player to move. */
export const RESULTS = { 1: "wins", 0: "draws", "-1": "loses" };

/** What a move is worth to the player to move: -1 to 1, or null. */
function worth(move) {
  return move.proven ?? move.value ?? null;
}

/** Minimax scores, which have units of the game's own, as if they were results. */
function scale(analysis) {
  const scores = analysis.moves.map((move) => move.score).filter((score) => score !== null);
  if (scores.length === 0) return worth;
  const spread = Math.max(1, Math.max(...scores) - Math.min(...scores));
  const middle = (score) => (score / (spread + Math.abs(score))) * 0.9;
  return (move) => worth(move) ?? (move.score === null ? null : middle(move.score));
}

/** The marks of an analysis: by search, or by the network before any search. */
export function marksOf(analysis, position, heat) {
  if (heat === "off" || analysis.moves.length === 0) return [];
  const value = scale(analysis);
  const best = value(analysis.moves[0]);
  const visits = analysis.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
  const byAction = new Map(position.actions.map((action) => [action.action, action]));
  const marks = analysis.moves.map((move, rank) => {
    const loss = value(move) === null || best === null ? null : Math.max(0, best - value(move));
    const searched = visits > 0 ? move.visits / visits : (loss === null ? 0.1 : Math.max(0.04, 1 - loss * 1.5) ** 3);
    const share = heat === "network" ? move.prior ?? 0 : searched;
    const label = heat === "network" || visits > 0 ? (share >= 0.01 ? String(Math.round(share * 100)) : "") : markLabel(move);
    return { action: byAction.get(move.action), share, loss: heat === "network" ? null : loss, label, isBest: rank === 0 && heat !== "network" };
  });
  return marks.filter((mark) => mark.action && mark.share > 0.004);
}

function markLabel(move) {
  if (move.lead !== null) return signed(move.lead, 0);
  if (move.proven !== null) return { 1: "W", 0: "D", "-1": "L" }[move.proven];
  return move.score === null ? "" : signed(move.score, 0);
}

/** Chances of the first player, a draw and the second player; or null. */
export function chances(analysis) {
  const first = analysis.player === 0;
  if (analysis.proven !== null) {
    const result = first ? analysis.proven : -analysis.proven;
    return [result > 0 ? 1 : 0, result === 0 ? 1 : 0, result < 0 ? 1 : 0];
  }
  if (analysis.wdl) {
    const [win, draw, loss] = analysis.wdl;
    return first ? [win, draw, loss] : [loss, draw, win];
  }
  if (analysis.score !== null) {
    const score = (first ? 1 : -1) * analysis.score;
    const win = 1 / (1 + Math.exp(-score / 4));
    return [win, 0, 1 - win];
  }
  return null;
}

/** The evaluation bar beside the board. */
export class EvaluationBar {
  constructor() {
    this.parts = [0, 1, 2].map((part) => h("div", { class: `part part-${part}` }));
    this.label = h("div", { class: "bar-label" });
    this.element = h("div", { class: "bar", role: "img", hidden: true }, this.parts, this.label);
  }

  /** @param {any|null} analysis @param {string} game */
  show(analysis, game, flipped) {
    const shares = analysis && chances(analysis);
    this.element.hidden = !shares;
    if (!shares) return;
    const exact = analysis.proven !== null;
    this.parts.forEach((part, index) => part.style.setProperty("flex-grow", String(shares[index])));
    this.element.className = `bar ${exact ? "exact" : "estimated"} ${flipped ? "flipped" : ""}`;
    const words = exact ? "exact" : "estimate";
    this.label.textContent = exact ? "✓" : String(Math.round(100 * (shares[0] + shares[1] / 2)));
    this.element.setAttribute("aria-label",
      `${words}: ${sideName(game, 0)} ${percent(shares[0])}, draw ${percent(shares[1])}, ${sideName(game, 1)} ${percent(shares[2])}`);
    this.element.title = this.element.getAttribute("aria-label");
  }
}

/** One agent that looks at the position: who and how long, what it says, and its table. */
class Look {
  /** @param {any} app @param {() => void} onshow told when there is something new */
  constructor(app, onshow) {
    this.app = app;
    this.onshow = onshow;
    this.stopper = null;
    this.isOn = true;
    this.agent = null;
    this.effort = 1;
    this.lines = new Map();
    this.head = h("div", { class: "row wrap" });
    this.verdict = h("div", { class: "verdict" });
    this.table = h("table", { class: "analysis" });
    this.toggle = button("Stop", () => this.startOrStop(), { title: "Start or stop (space)" });
    this.element = h("section", { class: "card" }, this.head, this.verdict, scrolling("Moves and what is known of them", this.table));
  }

  /** @param {number} usual which of the agents, where none was chosen */
  async drawHead(usual, extra) {
    const agents = (await this.app.agents(this.app.tree.game)).filter((agent) => agent.efforts.length > 0);
    if (agents.length === 0) return;
    if (!agents.some((agent) => agent.id === this.agent)) this.agent = (agents[usual] ?? agents[0]).id;
    const agent = agents.find((other) => other.id === this.agent);
    this.effort = Math.min(this.effort, agent.efforts.length - 1);
    const who = select({ "aria-label": "Who looks", onchange: async () => { this.agent = who.value; await this.drawHead(usual, extra); this.restart(); } },
      agents.map((other) => [other.id, other.name]), this.agent);
    const effort = select({ "aria-label": "How long", onchange: () => { this.effort = Number(effort.value); this.restart(); } },
      agent.efforts.map((name, index) => [index, name]), this.effort);
    replace(this.head, who, effort, extra, this.toggle);
    this.showToggle();
  }

  get key() {
    return `${this.agent} ${this.effort}`;
  }

  /** What is known of the position on the board. */
  get analysis() {
    return this.app.tree.current.analyses.get(this.key) ?? null;
  }

  startOrStop() {
    this.isOn = !this.stopper;
    if (this.isOn) this.restart();
    else this.stop();
    this.show();
  }

  showToggle() {
    this.toggle.textContent = this.stopper ? "Stop" : this.isOn ? "Again" : "Start";
    this.toggle.classList.toggle("primary", !this.stopper && !this.isOn);
  }

  restart() {
    this.app.tree.current.analyses.delete(this.key);
    this.stop();
    this.look();
  }

  /** Asks, unless the answer is there. */
  async look() {
    const { app } = this;
    const node = app.tree.current;
    if (this.asking === node && this.stopper) return this.show();
    this.stop();
    this.show();
    if (!this.isOn || app.position.outcome || this.analysis?.isDone || app.page !== "analyse") return;
    const stopper = new AbortController();
    [this.stopper, this.asking] = [stopper, node];
    const key = this.key;
    const body = { line: app.tree.line(node), agent: { id: this.agent, level: this.effort } };
    this.showToggle();
    try {
      await follow("/api/analyse", body, stopper.signal, (name, value) => {
        if (name === "failed") return say(value, "error");
        if (name === "done" && this.stopper === stopper) this.stopper = null;
        node.analyses.set(key, { ...value, isDone: name === "done" });
        if (app.tree.current === node && !stopper.signal.aborted) this.show();
      });
    } catch (error) {
      if (!isAbort(error) && app.tree.current === node) replace(this.verdict, h("p", { class: "quiet" }, error.message));
    } finally {
      if (this.stopper === stopper) [this.stopper, this.asking] = [null, null];
      this.showToggle();
    }
  }

  stop() {
    this.stopper?.abort();
    [this.stopper, this.asking] = [null, null];
  }

  show() {
    const { app, analysis } = this;
    const { position } = app;
    this.showToggle();
    if (analysis) {
      this.showVerdict(analysis, position);
      this.showTable(analysis, position);
    } else {
      const words = position.outcome ? app.turnText() : this.isOn ? "Looking…" : "";
      replace(this.verdict, h("p", { class: "quiet" }, words));
      replace(this.table);
    }
    this.onshow();
  }

  showVerdict(analysis, position) {
    const side = sideName(position.game, analysis.player);
    const exact = analysis.proven !== null;
    const words = [];
    if (exact) words.push(`${side} ${RESULTS[analysis.proven]}`);
    else if (analysis.wdl) words.push(`${side}: ${percent(analysis.wdl[0])} win, ${percent(analysis.wdl[1])} draw, ${percent(analysis.wdl[2])} loss`);
    else if (analysis.score !== null) words.push(`${side}: score ${signed(analysis.score, 0)}`);
    if (analysis.lead !== null) words.push(isSolved(analysis) ? `final lead ${signed(analysis.lead, 0)}` : `expected lead ≈ ${signed(analysis.lead, 1)}`);
    const effort = [];
    if (analysis.depth !== null) effort.push(`depth ${analysis.depth}`);
    effort.push(`${grouped(analysis.nodes)} ${analysis.wdl ? "simulations" : "positions"}`);
    if (!analysis.isDone && this.stopper) effort.push("still looking…");
    replace(this.verdict,
      h("span", { class: `tag ${exact ? "exact" : "estimated"}` }, exact ? "✓ exact" : "≈ estimate"),
      h("strong", {}, words.join(", ")), h("small", {}, effort.join(", ")));
  }

  showTable(analysis, position) {
    const isHeld = this.table.contains(document.activeElement) || this.previewing;
    // Not under a hand that points at it.
    if (isHeld && this.table.rows.length > 0 && this.shown === position) return;
    this.shown = position;
    const columns = columnsOf(analysis);
    const rows = analysis.moves.slice(0, MOST_MOVES).map((move) => h("tr", {
      tabindex: "0",
      onclick: () => this.app.playAction(move.action, move.text),
      onkeydown: (event) => { if (event.key === "Enter") this.app.playAction(move.action, move.text); },
      onpointerenter: () => this.preview(move, position),
      onpointerleave: () => this.unpreview(position),
      onfocus: () => this.preview(move, position),
      onblur: () => this.unpreview(position),
    }, columns.map(([, cell]) => cell(move))));
    const more = analysis.moves.length - MOST_MOVES;
    replace(this.table, h("thead", {}, h("tr", {}, columns.map(([name]) => h("th", {}, name)))), h("tbody", {}, rows),
      more > 0 && h("tfoot", {}, h("tr", {}, h("td", { colspan: columns.length, class: "quiet" }, `and ${more} more`))));
  }

  /** Plays a line on the board while it is pointed at. */
  async preview(move, position) {
    this.previewing = move;
    const text = move.line.length > 1 ? move.line.join(";") : String(move.action);
    const key = `${position.state} ${text}`;
    if (!this.lines.has(key)) {
      try {
        this.lines.set(key, (await post("/api/play", { line: this.app.tree.line(), input: { text } })).position);
      } catch {
        return;
      }
    }
    if (this.previewing !== move || this.app.position !== position) return;
    this.app.board.show(this.lines.get(key), { marks: [], preview: true, interactive: false });
  }

  unpreview(position) {
    this.previewing = null;
    if (this.app.position !== position || this.app.page !== "analyse") return;
    this.app.board.options.interactive = !this.app.isOver();
    this.show();
  }
}

/** The columns in which anything is known: a name, and what makes a cell of a move. */
function columnsOf(analysis) {
  const visits = analysis.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
  const lead = (move) => (isSolved(analysis) ? signed(move.lead, 0) : `≈ ${signed(move.lead, 1)}`);
  const columns = [
    ["move", (move) => h("td", { class: "text" }, move.text)],
    ["visits", (move) => h("td", { title: `${move.visits} simulations` }, percent(visits ? move.visits / visits : 0))],
    ["prior", (move) => h("td", {}, percent(move.prior))],
    ["value", (move) => h("td", {}, valueTag(move))],
    ["score", (move) => h("td", {}, move.score === null ? "" : signed(move.score, 0))],
    ["lead", (move) => h("td", {}, move.lead === null ? "" : lead(move))],
    ["line", (move) => h("td", { class: "line", title: move.line.join(" ") }, move.line.slice(1, 7).join(" "))],
  ];
  const isKnown = (name) => name === "move" || analysis.moves.some((move) => move[name] !== null);
  return columns.filter(([name]) => isKnown(name));
}

export class AnalysisPanel {
  constructor(app) {
    this.app = app;
    this.moves = new MoveList(app);
    this.heat = "search";
    /** The second, if there is one, is beside the first: marks and bar are the first's. */
    this.looks = [new Look(app, () => this.showMarks())];
    this.heatSelect = select({ "aria-label": "Marks on the board", onchange: () => { this.heat = this.heatSelect.value; this.showMarks(); } },
      [["search", "marks: search"], ["network", "marks: network alone"], ["off", "no marks"]], this.heat);
    this.second = button("Second opinion", () => this.toggleSecond(), { title: "Another agent beside the first" });
    this.places = h("div", { class: "looks" }, this.looks[0].element);
    this.note = h("textarea", { rows: 2, maxlength: 1000, placeholder: "A note on this move", "aria-label": "A note on this move",
      oninput: () => { app.tree.current.note = this.note.value; this.showTexts(); } });
    this.position = h("input", { type: "text", readonly: true, "aria-label": "The position as text" });
    this.record = h("textarea", { rows: 2, readonly: true, "aria-label": "The moves and notes as text" });
    this.game = h("textarea", { rows: 2, readonly: true, "aria-label": "The main line as a recorded game" });
    this.pasted = h("textarea", { rows: 2, placeholder: "paste a position, a GameString or moves, a line a variation", "aria-label": "Paste a position or moves", maxlength: 20000,
      onkeydown: (event) => {
        if (event.key !== "Enter" || event.shiftKey) return;
        event.preventDefault();
        this.pasted.form.requestSubmit();
      } });
    const copied = (input) => h("div", { class: "row" }, input, button("copy", () => copy(input.value), { class: "small" }));
    this.element = h("div", { class: "panel" }, this.places, this.moves.element,
      h("section", { class: "card" }, this.note,
        h("div", { class: "row wrap" }, this.second,
          button("Play from here", () => app.open("play")),
          button("Review the game", () => app.open("review")),
          button("Main line", () => { app.tree.promote(app.tree.current); app.update(); }, { title: "Make this variation the main line" }),
          button("Remove", () => { app.tree.remove(app.tree.current); app.go(app.tree.current); }, { class: "quiet", title: "Take this move and what follows away" })),
        h("details", {}, h("summary", {}, "Import and export"), copied(this.position), copied(this.record), copied(this.game),
          h("form", { class: "row", onsubmit: (event) => this.paste(event) }, this.pasted, h("button", { type: "submit", class: "small" }, "open")))));
  }

  /** The first of the agents' switch, for its key. */
  get toggle() {
    return this.looks[0].toggle;
  }

  toggleSecond() {
    if (this.looks.length > 1) {
      this.looks.pop().stop();
    } else {
      this.looks.push(new Look(this.app, () => {}));
    }
    this.second.textContent = this.looks.length > 1 ? "One opinion" : "Second opinion";
    replace(this.places, this.looks.map((look) => look.element));
    this.update();
  }

  update() {
    const { app } = this;
    this.moves.update();
    this.note.value = app.tree.current.note;
    this.position.value = app.position.state;
    this.showTexts();
    this.looks.forEach(async (look, index) => {
      await look.drawHead(index * 2, index === 0 ? this.heatSelect : null);
      look.look();
    });
  }

  showTexts() {
    this.record.value = this.app.tree.record;
    this.game.value = this.app.tree.recordedGame;
  }

  showMarks() {
    const { app, heat } = this;
    if (app.page !== "analyse") return;
    const { analysis } = this.looks[0];
    app.bar.show(analysis, app.position.game, app.flipped);
    if (this.looks.some((look) => look.previewing)) return;
    app.board.show(app.position, { marks: analysis ? marksOf(analysis, app.position, heat) : [], preview: false });
  }

  leave() {
    for (const look of this.looks) look.stop();
    this.app.bar.show(null);
  }

  async paste(event) {
    event.preventDefault();
    const text = this.pasted.value.trim();
    if (text && await this.app.importText(text)) this.pasted.value = "";
  }
}

/** Whether leads are exact, too: a search proves results alone. */
function isSolved(analysis) {
  return analysis.by === "solver";
}

function valueTag(move) {
  if (move.proven !== null) return h("span", { class: "tag exact", title: "exact" }, `✓ ${RESULTS[move.proven]}`);
  if (move.value === null) return "";
  return h("span", { title: "estimated" }, `≈ ${signed(move.value)}`);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied.");
  } catch {
    say("The browser does not let the page copy: select the text and copy it.", "error");
  }
}
