// The page as a whole: which page is open, the game on the board, and the link to it.

import { AnalysisPanel, EvaluationBar } from "./analysis.js";
import { post, readToken } from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { h, replace, say } from "./dom.js";
import { sideName, turnText } from "./game.js";
import { RulesPage, showKeys } from "./help.js";
import { PlayPanel } from "./play.js";
import { PuzzlePanel } from "./puzzle.js";
import { ReviewPanel } from "./review.js";
import { TrainingPage } from "./training.js";
import { Tree } from "./tree.js";

const START = "dots-and-boxes:3x3";
const PAGES = ["play", "analyse", "review", "puzzles", "training", "rules"];

class App {
  constructor() {
    this.main = document.getElementById("main");
    this.tree = new Tree(START);
    this.seats = this.keptSeats();
    this.seed = Math.floor(Math.random() * 1e9);
    this.flipped = false;
    /** Who lost other than on the board, and how: null where nobody did. */
    this.forfeit = null;
    this.clock = null;
    this.page = null;
    this.known = new Map();
    this.board = new Board({ onaction: (action) => this.playAction(action.action, action.text), onrefused: (clicks, words) => this.explain(clicks, words) });
    this.bar = new EvaluationBar();
    this.names = [0, 1].map(() => h("div", { class: "name" }));
    this.times = [0, 1].map(() => h("span", { class: "time", role: "timer", hidden: true }));
    this.strips = [0, 1].map((player) => h("div", { class: `strip side-${player}` }, this.names[player], this.board.hands[player]));
    this.stage = h("section", { class: "stage", "aria-label": "Board" });
    this.panels = { play: new PlayPanel(this), analyse: new AnalysisPanel(this), review: new ReviewPanel(this), puzzles: new PuzzlePanel(this) };
    this.pages = { training: new TrainingPage(this), rules: new RulesPage(this) };
    // The link that was followed: meanwhile a move that was on its way may have written its own.
    window.addEventListener("hashchange", (event) => this.readLink(new URL(event.newURL).hash));
    document.addEventListener("keydown", (event) => this.key(event));
    document.getElementById("keys-button").addEventListener("click", showKeys);
  }

  // The game.

  /** The structured position on the board. */
  get position() {
    return this.tree.current.position;
  }

  get panel() {
    return this.panels[this.page] ?? null;
  }

  isOver() {
    return !this.position || Boolean(this.position.outcome) || this.forfeit !== null;
  }

  turnText() {
    if (this.forfeit === null) return turnText(this.position);
    const { loser, words } = this.forfeit;
    const [name, winner] = [loser, 1 - loser].map((player) => sideName(this.tree.game, player));
    return `${name} ${words}: ${winner} wins`;
  }

  /** Begins a new game. */
  async begin(spec, from = null) {
    const isOther = spec !== this.tree.game;
    this.tree = new Tree(spec, from);
    this.forfeit = null;
    this.seed = Math.floor(Math.random() * 1e9);
    if (isOther) await this.checkSeats();
    const humans = [0, 1].filter((player) => this.seats[player].id === "human");
    this.flipped = humans.length === 1 && humans[0] === 1;
    await this.go(this.tree.root);
  }

  /** Agents of the seats that the game does not have are replaced by one that it has. */
  async checkSeats() {
    const agents = await this.agents(this.tree.game);
    this.seats = this.seats.map((seat) => {
      const agent = agents.find((other) => other.id === seat.id);
      if (seat.id === "human") return seat;
      if (!agent) return { id: agents[0].id, level: Math.min(2, agents[0].levels.length - 1) };
      return { id: seat.id, level: Math.min(seat.level, agent.levels.length - 1) };
    });
  }

  /** Plays an action on the board. */
  playAction(action, text, position = null) {
    if (this.page === "play" && this.forfeit !== null) return;
    if (this.page === "puzzles" && !this.panel.tries(action)) return;
    if (this.pending) return;
    const node = this.tree.add(action, text);
    // An agent's move comes with its position; what a person was told stays meanwhile.
    if (position) node.position = position;
    else say("");
    this.go(node);
  }

  /** Goes to a position, once it is known. Of several on the way, to the last that was asked for. */
  async go(node) {
    const { tree } = this;
    if (!node.position) {
      this.pending = node;
      try {
        node.position = await this.ask(node);
      } catch (error) {
        say(error.message, "error");
        tree.remove(node);
      } finally {
        if (this.pending === node) this.pending = null;
      }
    }
    if (!node.position || this.pending || this.tree !== tree) return;
    tree.current = node;
    this.update();
  }

  ask(node) {
    return post("/api/position", { line: this.tree.line(node) });
  }

  /** Cuts what follows the current position off, to play on from here. */
  branch() {
    const copy = new Tree(this.tree.game, this.tree.from);
    for (const node of this.tree.current.path) {
      if (node.parent) copy.play(node.action, node.text);
      copy.current.position = node.position;
    }
    this.tree = copy;
    this.forfeit = null;
  }

  /** Opens a game of a training run at its end, to be judged. */
  async openGame(spec, { actions }) {
    this.tree = new Tree(spec);
    this.forfeit = null;
    await this.checkSeats();
    await this.loadActions(actions);
    this.open("review");
  }

  /** Plays actions from the root, with their texts. */
  async loadActions(actions) {
    this.tree.root.position ??= await this.ask(this.tree.root);
    if (actions.length === 0) return;
    const text = actions.join(" ");
    const played = await post("/api/play", { line: this.tree.line(this.tree.root), input: { text } });
    this.tree.current = this.tree.root;
    this.tree.playAll(played);
  }

  /**
   * Opens a text: a recorded game, a GameString, or the text of a state or nothing, then lines of moves, each a
   * variation.
   */
  async importText(text) {
    const recorded = recordedGame(text);
    const spec = recorded?.game ?? gameString(text) ?? this.tree.game;
    const lines = recorded ? recorded.lines : text.split("\n").map((line) => line.trim()).filter(Boolean);
    const { tree } = this;
    try {
      const state = gameString(text)
        ? null
        : await post("/api/position", { line: { game: spec, from: lines[0], actions: [] } }).catch(() => null);
      this.tree = new Tree(spec, state ? lines[0] : null);
      this.tree.root.position = state ?? (await this.ask(this.tree.root));
      const moves = gameString(text) ? [text.trim().split(";").slice(3).join(";")] : lines.slice(state ? 1 : 0);
      for (const line of moves.filter(Boolean)) {
        const played = await post("/api/play", { line: this.tree.line(this.tree.root), input: { text: line } });
        this.tree.current = this.tree.root;
        this.tree.playAll(played);
      }
      this.tree.current = this.tree.ends()[0];
      this.forfeit = null;
      say("");
      await this.go(this.tree.current);
      return true;
    } catch (error) {
      this.tree = tree;
      say(error.message, "error");
      return false;
    }
  }

  /** Says why clicks are no move. */
  async explain(clicks, words) {
    if (words) return say(words, "error");
    if (!this.position || this.position.outcome) return;
    try {
      await post("/api/play", { line: this.tree.line(), input: { clicks } });
    } catch (error) {
      say(error.message, "error");
    }
  }

  /** The agents of a game, asked once; runs may come later. */
  async agents(spec) {
    if (!this.known.has(spec)) {
      this.known.set(spec, post("/api/agents", { game: spec }).then(({ agents }) => agents).catch((error) => {
        this.known.delete(spec);
        say(error.message, "error");
        return [];
      }));
    }
    return this.known.get(spec);
  }

  keptSeats() {
    try {
      const kept = JSON.parse(localStorage.getItem("seats"));
      if (Array.isArray(kept) && kept.length === 2 && kept.every((seat) => typeof seat.id === "string" && Number.isInteger(seat.level))) return kept;
    } catch { /* nothing kept */ }
    return [{ id: "human", level: 0 }, { id: "minimax", level: 1 }];
  }

  keepSeats() {
    localStorage.setItem("seats", JSON.stringify(this.seats));
  }

  flip() {
    this.flipped = !this.flipped;
    this.update();
  }

  // The clock.

  /** A new clock for the game, or none, as was chosen. */
  setClock() {
    this.clock?.stop();
    this.clocked = this.tree;
    const text = localStorage.getItem("clock") ?? "";
    const isTime = /^\d+\+\d+$/.test(text);
    this.clock = isTime ? new Clock(text, { onread: () => this.showTimes(), onfall: (player) => this.lose(player, "has no time left") }) : null;
  }

  /**
   * Runs for who moves, from the first action on, as long as the game is played at its end. A position
   * keeps the times at which it was reached, so that what is taken back gives them back.
   */
  runClock() {
    if (this.clocked !== this.tree) this.setClock();
    const { clock, tree } = this;
    if (!clock) return this.showTimes();
    const node = tree.current;
    if (this.timed !== node && node.times) clock.restore(node.times);
    const isPlayed = this.page === "play" && node.parent && node.children.length === 0 && !this.isOver();
    if (isPlayed) clock.turn(this.position.player);
    else clock.stop();
    node.times ??= [0, 1].map((player) => clock.of(player));
    this.timed = node;
    this.showTimes();
  }

  showTimes() {
    for (const player of [0, 1]) {
      const time = this.times[player];
      time.hidden = !this.clock || this.page !== "play";
      if (time.hidden) continue;
      time.textContent = this.clock.text(player);
      time.classList.toggle("short", this.clock.of(player) < 20_000);
    }
  }

  /** A side loses other than on the board. */
  lose(loser, words) {
    if (this.isOver()) return;
    this.panels.play.stop();
    this.forfeit = { loser, words };
    this.update();
  }

  // What is shown.

  /** Shows the position everywhere. */
  update() {
    if (!this.position || !this.panel) return;
    const { position } = this;
    const isPlay = this.page === "play";
    const seat = position.player === null ? null : this.seats[position.player];
    const interactive = !this.isOver() && (!isPlay || seat?.id === "human");
    this.board.show(position, { interactive, flipped: this.flipped, marks: [], preview: false });
    if (this.page !== "analyse") this.bar.show(null);
    this.runClock();
    this.showNames();
    this.writeLink();
    this.panel.update();
  }

  async showNames() {
    const { position, tree } = this;
    const agents = await this.agents(tree.game);
    for (const player of [0, 1]) {
      const seat = this.seats[player];
      const agent = agents.find((other) => other.id === seat.id);
      const who = this.page !== "play" ? "" : seat.id === "human" ? "you" : `${agent?.name ?? seat.id}${agent && agent.levels.length > 1 ? `, ${agent.levels[seat.level]?.split(":")[0]}` : ""}`;
      const isTurn = position.player === player && this.forfeit === null;
      const points = position.points ? h("span", { class: "points", "aria-label": `${position.points[player]} points` }, String(position.points[player])) : null;
      replace(this.names[player], h("span", { class: "disc" }), h("strong", {}, sideName(tree.game, player)), who && h("span", { class: "quiet" }, who),
        points, this.times[player], isTurn && h("span", { class: "to-move" }, position.again ? "moves again" : "to move"), h("span", { class: "spinner", role: "img", hidden: !(isTurn && this.isThinking), "aria-label": "thinking" }));
      this.strips[player].classList.toggle("active", isTurn);
    }
    this.stage.classList.toggle("bw", sideName(tree.game, 0) === "White");
    // Moved only when they change places: moving takes the focus away.
    const order = this.flipped ? [0, 1] : [1, 0];
    if (this.stage.firstChild === this.strips[order[0]]) return;
    replace(this.stage, this.strips[order[0]], h("div", { class: "board-row" }, this.bar.element, this.board.element), this.strips[order[1]]);
  }

  showThinking(isThinking) {
    this.isThinking = isThinking;
    for (const spinner of this.stage.querySelectorAll(".strip.active .spinner")) spinner.hidden = !isThinking;
  }

  // Pages and links.

  /** Opens a page. */
  async open(page) {
    const old = this.panels[this.page] ?? this.pages[this.page];
    if (this.page !== page) old?.leave?.();
    this.page = page;
    this.clock?.stop();
    for (const link of document.querySelectorAll("nav a")) {
      link.toggleAttribute("aria-current", link.dataset.page === page);
    }
    document.title = `${page[0].toUpperCase()}${page.slice(1)} · Tablero`;
    const panel = this.panel;
    if (panel) {
      replace(this.main, h("div", { class: "table" }, this.stage, panel.element));
      await panel.enter?.();
      if (page === "play") panel.drawSetup();
      await this.go(this.tree.current);
    } else {
      replace(this.main, this.pages[page].element);
      history.replaceState(null, "", `#/${page}`);
      await this.pages[page].enter();
    }
  }

  /** The position stands in the link. */
  writeLink() {
    const { game, actions, from } = this.tree.line();
    const query = new URLSearchParams({ game });
    if (from) query.set("from", from);
    if (actions.length > 0) query.set("moves", actions.join("."));
    const link = `#/${this.page}?${query.toString().replaceAll("%3A", ":").replaceAll("%2B", "+")}`;
    if (location.hash !== link) history.replaceState(null, "", link);
  }

  /** Opens what the link says. */
  async readLink(fragment) {
    const link = readToken(fragment);
    say("");
    const [path, query] = link.replace(/^#\/?/, "").split("?");
    const page = PAGES.includes(path) ? path : "play";
    if (query && this.panels[page]) {
      // A plus stands for itself, as in hive:base+mlp.
      const given = new URLSearchParams(query.replaceAll("+", "%2B"));
      const game = given.get("game") ?? this.tree.game;
      const actions = (given.get("moves") ?? "").split(".").filter(Boolean).map(Number);
      const isOpen = this.tree.game === game && this.tree.from === given.get("from") && this.tree.current.actions.join() === actions.join();
      if (!isOpen) await this.openLine(game, given.get("from"), actions);
    }
    await this.open(page);
  }

  async openLine(game, from, actions) {
    const { tree } = this;
    try {
      this.tree = new Tree(game, from);
      this.forfeit = null;
      await this.loadActions(actions);
      await this.checkSeats();
    } catch (error) {
      this.tree = tree;
      say(`The link cannot be opened: ${error.message}`, "error");
    }
  }

  // Keys.

  key(event) {
    const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = this.keyAction(event.key);
    if (!act) return;
    if (event.key === " " && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    act();
  }

  keyAction(key) {
    const { tree, panel } = this;
    const shared = { "?": showKeys, p: () => this.open("play"), a: () => this.open("analyse"), r: () => this.open("review") };
    if (shared[key]) return shared[key];
    if (!panel) return null;
    return {
      ArrowLeft: () => tree.current.parent && this.go(tree.current.parent),
      ArrowRight: () => tree.current.children[0] && this.go(tree.current.children[0]),
      Home: () => this.go(tree.root),
      End: () => this.go(tree.mainLine().at(-1)),
      f: () => this.flip(),
      0: () => this.board.resetView(),
      c: () => { this.board.options.showCounts = !this.board.options.showCounts; this.update(); },
      u: panel.takeBack && (() => panel.takeBack()),
      h: panel.showHint && (() => panel.showHint()),
      n: panel.start && this.page !== "review" && (() => panel.start()),
      " ": panel.toggle && (() => panel.toggle.click()),
      m: panel.toMistake && (() => panel.toMistake(1)),
      M: panel.toMistake && (() => panel.toMistake(-1)),
    }[key];
  }
}

/** A game as `tablero play` saves it: its game, and lines of its first state, if that is told, and of its moves. */
function recordedGame(text) {
  const header = /^\s*\[(\w+) "((?:[^"\\]|\\.)*)"\]/;
  const headers = {};
  let rest = text;
  for (let found = header.exec(rest); found; found = header.exec(rest)) {
    headers[found[1]] = found[2].replace(/\\(.)/g, "$1");
    rest = rest.slice(found[0].length);
  }
  if (!headers.Game) return null;
  const moves = rest.trim().replace(/(^|\s)(1-0|0-1|1\/2-1\/2|\*)$/, "").replace(/\s+/g, " ").trim();
  return { game: headers.Game, lines: [headers.From, moves].filter(Boolean) };
}

/** The spec of the game of a GameString of Hive, such as `Base+MLP;InProgress;…`. */
function gameString(text) {
  const type = /^\s*(Base(\+[MLP]+)?);/i.exec(text);
  return type ? `hive:${type[1].toLowerCase()}` : null;
}

const app = new App();
// For tests, which compare the board with the core.
window.tablero = app;
app.readLink(location.hash);
