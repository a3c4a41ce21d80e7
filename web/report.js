// The report of a run: the training view in one file that needs no server. Its games are stepped through
// on the board; their positions are in the file.

import { Board } from "./board.js";
import { duration, h, percent, replace } from "./dom.js";
import { resultText, sideName, turnText } from "./game.js";
import { MoveList } from "./moves.js";
import { TrainingPage } from "./training.js";
import { Tree } from "./tree.js";

class Report {
  /** @param {any} run what the server tells about a run, with the positions of its games */
  constructor(run) {
    this.run = run;
    this.tree = new Tree(run.game);
    this.training = new TrainingPage(this);
    this.board = new Board({ onaction: () => {}, onrefused: () => {} });
    this.moves = new MoveList(this);
    this.title = h("h2", {});
    this.turn = h("div", { class: "turn", role: "status" });
    const stage = h("section", { class: "stage", "aria-label": "Board" },
      [1, 0].map((player) => h("div", { class: `strip side-${player}` },
        h("div", { class: "name" }, h("span", { class: "disc" }), h("strong", {}, sideName(run.game, player))), this.board.hands[player])));
    stage.classList.toggle("bw", sideName(run.game, 0) === "White");
    stage.lastChild.before(h("div", { class: "board-row" }, this.board.element));
    this.games = h("div", { class: "table", hidden: true }, stage,
      h("div", { class: "panel" }, h("section", { class: "card" }, this.title, this.turn), this.moves.element));
    this.element = h("div", { class: "page" }, h("div", { class: "training" }, headline(run),
      this.training.card(run, 0), this.games, this.training.plots([run])));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Opens a game at its end. */
  openGame(spec, game) {
    this.tree = new Tree(spec);
    restore(game.positions);
    this.tree.root.position = game.positions[0];
    game.actions.forEach((action, index) => {
      this.tree.play(action, `${game.texts[index]}${index < game.opening ? "*" : ""}`).position = game.positions[index + 1];
    });
    const random = game.opening > 0 ? "; * drawn at random, or played in the game that this one forks from" : "";
    replace(this.title, `Game ${game.id}: ${resultText(spec, game.outcome)}${random}`);
    this.games.hidden = false;
    this.go(this.tree.current);
    this.games.scrollIntoView({ block: "nearest" });
  }

  go(node) {
    this.tree.current = node;
    this.board.show(node.position, { interactive: false, marks: [] });
    replace(this.turn, turnText(node.position));
    this.moves.update();
  }

  key(event) {
    if (this.games.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    const { tree } = this;
    const to = {
      ArrowLeft: tree.current.parent,
      ArrowRight: tree.current.children[0],
      Home: tree.root,
      End: tree.mainLine().at(-1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    this.go(to);
  }
}

/** What the run has come to, and of what machine, version and command it is. */
function headline({ name, game, seconds, machine, report, evaluations }) {
  const latest = evaluations.filter(({ player, report: match }) => (player ?? 0) === 0 && typeof match?.score === "number").at(-1)?.report;
  const right = latest?.oracle?.critical?.optimal_share;
  const said = latest && [`scores ${percent(latest.score)} against ${latest.b}`,
    typeof right === "number" && `${percent(right)} of critical decisions right`].filter(Boolean).join(", ");
  const written = new Date(report.seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
  const trained = machine ? `Trained for ${duration(seconds)} by Tablero ${machine.version}, ${machine.instructions}.` : "Not trained yet.";
  return h("section", { class: "card" }, h("h1", {}, `${name}: ${game}`),
    said && h("p", {}, h("strong", {}, said)),
    h("p", {}, `${trained} Report of ${written} UTC by Tablero ${report.version}.`),
    h("p", {}, "To train it again: ", h("code", {}, `tablero train --config ${quoted(`${report.folder}/config.toml`)} --out NEW`),
      ". To write this page again: ", h("code", {}, `tablero report ${quoted(report.folder)}`), "."));
}

/** A path as one word of a shell. */
function quoted(path) {
  return /^[\w/.+@%:=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Fills in what is as it was in the position before, and left out: null in the lists of parts. */
function restore(positions) {
  positions.forEach(({ board }, index) => {
    for (const [key, parts] of Object.entries(board)) {
      if (Array.isArray(parts)) board[key] = parts.map((part, at) => part ?? positions[index - 1].board[key][at]);
    }
  });
}

const report = new Report(JSON.parse(document.getElementById("run").textContent));
document.getElementById("main").append(report.element);
// For tests.
window.report = report;
