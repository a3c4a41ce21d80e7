// Play: seats, moves by click and text, takeback, hint, resignation.

import { isAbort, post } from "./api.js";
import { CLOCKS } from "./clock.js";
import { button, h, replace, say, select } from "./dom.js";
import { GAMES, gameOf, sideName } from "./game.js";
import { MoveList } from "./moves.js";

/** Milliseconds that an agent's answer takes at least, so that the eye can follow. */
const LEAST_DELAY = 350;

export class PlayPanel {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.moves = new MoveList(app);
    this.thinking = null;
    this.leastDelay = LEAST_DELAY;
    this.setup = h("section", { class: "card setup" });
    this.status = h("div", { class: "turn", role: "status" });
    this.remarks = h("ul", { class: "remarks" });
    this.input = h("input", {
      type: "text", autocomplete: "off", spellcheck: "false", placeholder: "type a move, or a whole turn",
      "aria-label": "Type a move", maxlength: 2000,
    });
    const typing = h("form", { class: "row", onsubmit: (event) => this.type(event) }, this.input,
      h("button", { type: "submit", class: "small" }, "play"));
    this.actions = h("div", { class: "row wrap" },
      button("Take back", () => this.takeBack(), { title: "Take back (u)" }),
      button("Hint", () => this.showHint(), { title: "Hint (h)" }),
      button("Flip", () => app.flip(), { title: "Flip the board (f)" }),
      button("Resign", () => this.resign(), { class: "quiet" }),
      button("Analyse", () => app.open("analyse"), { title: "Look at this position (a)" }),
      button("Review", () => app.open("review"), { title: "Judge the game (r)" }));
    this.element = h("div", { class: "panel" },
      h("section", { class: "card" }, this.status, this.remarks, typing, this.actions), this.moves.element, this.setup);
    this.drawSetup();
  }

  /** The form for a new game. */
  async drawSetup() {
    const { app } = this;
    const name = app.tree.game.split(":")[0];
    const games = Object.entries(GAMES).map(([key, game]) => [key, game.title]);
    const specs = gameOf(app.tree.game).specs;
    const known = specs.some(([spec]) => spec === app.tree.game) ? specs : [[app.tree.game, app.tree.game], ...specs];
    const game = select({ "aria-label": "Game", onchange: () => this.choose(GAMES[game.value].specs.at(game.value === "paper-soccer" ? 2 : 0)[0]) }, games, name);
    const size = select({ "aria-label": "Size", onchange: () => this.choose(size.value) }, known, app.tree.game);
    const clock = select({ "aria-label": "Clock", onchange: () => localStorage.setItem("clock", clock.value) }, CLOCKS, localStorage.getItem("clock") ?? "");
    const agents = await app.agents(app.tree.game);
    const seat = (player) => this.seatForm(player, agents);
    replace(this.setup, h("h2", {}, "New game"),
      h("div", { class: "grid" }, h("label", {}, "Game", game), h("label", {}, "Size", size)),
      h("div", { class: "grid" }, seat(0), seat(1)),
      h("div", { class: "grid" }, h("label", {}, "Clock", clock)),
      h("div", { class: "row" }, button("Start a new game", () => this.start(), { class: "primary", title: "New game (n)" }),
        button("Swap sides", () => { app.seats.reverse(); app.keepSeats(); this.drawSetup(); this.start(); })));
  }

  seatForm(player, agents) {
    const { app } = this;
    const chosen = app.seats[player];
    const options = [["human", "Person"], ...agents.map((agent) => [agent.id, agent.name])];
    const who = select({ "aria-label": `${sideName(app.tree.game, player)} is`, onchange: () => change() }, options, chosen.id);
    const agent = agents.find((other) => other.id === chosen.id);
    const level = agent && agent.levels.length > 1
      ? select({ "aria-label": "Level", onchange: () => change() }, agent.levels.map((name, index) => [index, name]), chosen.level)
      : null;
    const change = () => {
      const isSame = who.value === chosen.id;
      app.seats[player] = { id: who.value, level: isSame && level ? Number(level.value) : usualLevel(agents, who.value) };
      app.keepSeats();
      this.drawSetup();
      app.update();
    };
    return h("label", {}, sideName(app.tree.game, player), who, level,
      level && h("small", {}, detail(agent.levels[chosen.level])), agent && h("small", {}, agent.about));
  }

  choose(spec) {
    this.app.begin(spec);
    this.drawSetup();
  }

  start() {
    this.app.begin(this.app.tree.game);
  }

  /** The position has changed. */
  update() {
    const { app } = this;
    const { position } = app;
    this.moves.update();
    replace(this.status, app.turnText());
    this.status.className = `turn ${position.outcome || app.forfeit ? "over" : `side-${position.player}`}`;
    replace(this.remarks, position.remarks.map((remark) => h("li", {}, named(app.tree.game, remark))));
    this.input.disabled = app.isOver();
    this.answer();
  }

  /** Lets an agent play whose turn it is. */
  async answer() {
    const { app } = this;
    const { position, tree } = app;
    const node = tree.current;
    if (this.thinking?.node === node) return;
    this.stop();
    if (app.page !== "play" || app.isOver() || node.children.length > 0) return;
    const seat = app.seats[position.player];
    if (seat.id === "human") return;
    const stopper = new AbortController();
    this.thinking = { node, stopper };
    app.showThinking(true);
    try {
      const body = { line: tree.line(node), agent: { id: seat.id, level: seat.level }, seed: app.seed };
      const [played] = await Promise.all([post("/api/move", body, stopper.signal), wait(this.leastDelay)]);
      if (stopper.signal.aborted || tree.current !== node) return;
      this.thinking = null;
      app.playAction(played.actions[0], played.texts[0], played.position);
    } catch (error) {
      if (isAbort(error)) return;
      say(error.message, "error");
      // Busy, perhaps: the next click tries again.
      this.thinking = null;
    } finally {
      if (!this.thinking) app.showThinking(false);
    }
  }

  stop() {
    this.thinking?.stopper.abort();
    this.thinking = null;
    this.app.showThinking(false);
  }

  async type(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    const node = this.app.tree.current;
    try {
      const played = await post("/api/play", { line: this.app.tree.line(node), input: { text } });
      this.input.value = "";
      say("");
      this.app.tree.playAll(played);
      this.app.go(this.app.tree.current);
    } catch (error) {
      say(error.message, "error");
    }
  }

  /** Back to where a person could last decide; within a turn of theirs, by one action. */
  takeBack() {
    const { app } = this;
    this.stop();
    app.forfeit = null;
    let node = app.tree.current.parent;
    while (node?.parent && app.seats[node.position?.player ?? 0].id !== "human") node = node.parent;
    if (!node) return say("There is nothing to take back.");
    if (app.seats[node.position?.player ?? 0].id !== "human") return say("There is no move of yours to take back.");
    // What was taken back is gone: else the agent would wait for it.
    for (const child of [...node.children]) app.tree.remove(child);
    app.go(node);
  }

  async showHint() {
    const { app } = this;
    if (app.isOver()) return;
    const agents = await app.agents(app.tree.game);
    const agent = agents.find((other) => other.efforts.length > 0);
    const node = app.tree.current;
    say("Looking for a hint…");
    try {
      const body = { line: app.tree.line(node), agent: { id: agent.id, level: 3 }, seed: 1 };
      const played = await post("/api/move", body);
      if (app.tree.current !== node) return;
      const action = app.position.actions.find((other) => other.action === played.actions[0]);
      app.board.show(app.position, { marks: [{ action, share: 0.6, loss: 0, label: "", isBest: true }] });
      say(`Hint by ${agent.name}: ${action.text}`);
    } catch (error) {
      say(error.message, "error");
    }
  }

  resign() {
    const { app } = this;
    if (app.isOver()) return;
    const humans = [0, 1].filter((player) => app.seats[player].id === "human");
    app.lose(humans.length === 1 ? humans[0] : app.position.player, "resigns");
  }

  leave() {
    this.stop();
  }
}

/** What is said of a level beside its name: a select cuts it off. */
function detail(level) {
  return `${level.slice(level.indexOf(":") + 1).trim()}.`;
}

/** A remark of the core, which knows players by number, with the names of the sides. */
function named(game, remark) {
  return remark.replace(/\bplayer ([01])\b/g, (_, player) => sideName(game, Number(player)));
}

function usualLevel(agents, id) {
  const agent = agents.find((other) => other.id === id);
  return agent && agent.levels.length > 2 ? 2 : 0;
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
