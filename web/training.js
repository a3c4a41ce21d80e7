// Training, live: the runs of the folder while they train, several laid over each other.

import { get } from "./api.js";
import { button, duration, grouped, h, percent, replace, s, say } from "./dom.js";
import { gameOf, resultText } from "./game.js";

/** How often it is looked whether a run has gone on. */
const PERIOD = 3000;

/** The plots: a title, and what is drawn of a round. */
const PLOTS = [
  ["Policy loss", (round) => round.learning?.policy_loss],
  ["Value loss", (round) => round.learning?.value_loss],
  ["Policy entropy of self-play", (round) => round.self_play?.policy_entropy],
  ["Draws", (round) => round.self_play?.draws, percent],
  ["Wins of the first player", (round) => round.self_play?.first_player_wins, percent],
  ["Plies of a game", (round) => round.self_play?.mean_plies],
  ["Distinct games of a round", (round) => (round.self_play ? round.self_play.distinct_games / Math.max(1, round.self_play.games) : undefined), percent],
  ["Evaluations a second", (round) => (round.self_play ? round.self_play.evaluations / Math.max(1e-9, round.self_play.seconds) : undefined), grouped],
];

export class TrainingPage {
  constructor(app) {
    this.app = app;
    this.chosen = new Set();
    this.runs = new Map();
    this.list = h("div", { class: "card" });
    this.detail = h("div", { class: "training" });
    this.element = h("div", { class: "page" }, this.list, this.detail);
  }

  enter() {
    this.timer = setInterval(() => this.follow(), PERIOD);
    return this.follow();
  }

  leave() {
    clearInterval(this.timer);
  }

  async follow() {
    if (document.hidden) return;
    try {
      const { folder, runs } = await get("/api/runs");
      if (this.chosen.size === 0 && runs.length > 0) this.chosen.add(runs.at(-1).id);
      for (const id of this.chosen) {
        const listed = runs.find((run) => run.id === id);
        const known = this.runs.get(id);
        // A run that stands still is not read again.
        if (known && known.games === listed?.games && known.steps === listed?.steps && known.nEvaluations === undefined) continue;
        if (!listed?.error) this.runs.set(id, await get(`/api/runs/${id}`));
      }
      this.show(folder, runs);
    } catch (error) {
      say(error.message, "error");
    }
  }

  show(folder, runs) {
    const focus = document.activeElement?.id;
    if (runs.length === 0) {
      replace(this.list, h("h2", {}, "Training runs"), h("p", {}, `There is no run in ${folder}.`),
        h("p", {}, "Start one: ", h("code", {}, "tablero quickstart"), ", or ", h("code", {}, "tablero train"), ". It shows here while it trains."));
      replace(this.detail);
      return;
    }
    replace(this.list, h("h2", {}, `Training runs in ${folder}`), h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ["", "run", "game", "progress", "games", "steps"].map((title) => h("th", {}, title)))),
      h("tbody", {}, runs.map((run) => this.row(run))))));
    const shown = [...this.chosen].map((id) => this.runs.get(id)).filter(Boolean);
    replace(this.detail, shown.map((run, index) => this.card(run, index)), this.plots(shown));
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  }

  row(run) {
    const box = h("input", { type: "checkbox", id: `run-${run.id}`, checked: this.chosen.has(run.id), "aria-label": `Show ${run.name}`,
      onchange: () => { box.checked ? this.chosen.add(run.id) : this.chosen.delete(run.id); this.follow(); } });
    const index = [...this.chosen].indexOf(run.id);
    const name = h("td", {}, index >= 0 && h("span", { class: `swatch series-${index % 5}` }), run.name);
    if (run.error) return h("tr", {}, h("td", {}, box), name, h("td", { colspan: 4, class: "warning" }, run.error));
    return h("tr", {}, h("td", {}, box), name, h("td", {}, run.game),
      h("td", {}, run.played, run.finished ? ", finished" : h("span", { class: "tag live" }, "running or to be resumed")),
      h("td", {}, grouped(run.games)), h("td", {}, grouped(run.steps)));
  }

  card(run, index) {
    const left = run.seconds_left === null ? "" : `, about ${duration(run.seconds_left)} to go`;
    return h("section", { class: "card" },
      h("h2", {}, h("span", { class: `swatch series-${index % 5}` }), `${run.name}: ${run.game}`),
      h("p", {}, `${run.played}, ${grouped(run.games)} games, ${grouped(run.steps)} gradient steps, ${duration(run.seconds)} of training${left}${run.finished ? ", finished" : ""}`),
      run.warnings.map((warning) => h("p", { class: "warning" }, warning)),
      this.matches(run), this.games(run),
      h("details", {}, h("summary", {}, "Configuration"), h("pre", {}, run.config)));
  }

  /** The latest match against each opponent. */
  matches(run) {
    const latest = new Map();
    for (const { checkpoint, report, player } of run.evaluations) {
      if (report?.b && (player ?? 0) === 0) latest.set(report.b, { checkpoint, report });
    }
    if (latest.size === 0) return h("p", { class: "quiet" }, "No match was played with this run yet.");
    const rows = [...latest].map(([opponent, { checkpoint, report }]) => h("tr", {}, h("td", {}, opponent), h("td", {}, String(checkpoint)),
      h("td", {}, String(report.games ?? "")), h("td", {}, `${percent(report.score)} (${percent(report.score_low)} to ${percent(report.score_high)})`),
      h("td", {}, report.oracle?.critical?.optimal_share === undefined ? "–" : percent(1 - report.oracle.critical.optimal_share))));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {},
      ["opponent", "checkpoint", "games", "score (95 %)", "regret against the solver"].map((title) => h("th", {}, title)))), h("tbody", {}, rows)));
  }

  games(run) {
    if (run.latest.length === 0) return null;
    return h("details", {}, h("summary", {}, "Newest self-play games"), h("div", { class: "row wrap" }, run.latest.map((game) =>
      button(`${game.id}: ${game.resigned ? "resigned, " : ""}${resultText(run.game, game.outcome)}, ${game.actions.length} plies`,
        () => this.app.openGame(run.game, game.actions), { class: "small" }))));
  }

  /** Elo by checkpoint, a plot for each opponent. */
  elo(runs) {
    const opponents = new Set(runs.flatMap((run) => run.evaluations.filter(isOwn).map(({ report }) => report.b)));
    return [...opponents].map((opponent) => {
      const series = runs.map((run) => run.evaluations.filter((match) => isOwn(match) && match.report.b === opponent)
        .map(({ checkpoint, report }) => [checkpoint, report.elo]).sort(([a], [b]) => a - b));
      return plot(`Elo to ${opponent}`, series, (y) => y.toFixed(0));
    });
  }

  plots(runs) {
    const plots = PLOTS.map(([title, value, format]) => {
      const series = runs.map((run) => run.rounds.map((round) => [round.round + 1, value(round)]).filter(([, y]) => typeof y === "number" && Number.isFinite(y)));
      return series.some((points) => points.length > 0) ? plot(title, series, format ?? ((y) => y.toPrecision(3))) : null;
    });
    return h("div", { class: "plots" }, this.elo(runs), plots);
  }
}

/** What a match says, if it is one of the run's own agents. */
function isOwn({ report, player }) {
  return typeof report?.elo === "number" && (player ?? 0) === 0;
}

/** A plot of several series of points. */
function plot(title, series, format) {
  const [width, height, left, bottom] = [340, 170, 52, 22];
  const all = series.flat();
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [x0, x1] = [Math.min(...xs), Math.max(...xs, Math.min(...xs) + 1)];
  let [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const pad = (y1 - y0) * 0.06 || Math.abs(y1) * 0.1 || 1;
  [y0, y1] = [y0 >= 0 ? Math.max(0, y0 - pad) : y0 - pad, y1 + pad];
  const at = ([x, y]) => [left + (x - x0) / (x1 - x0) * (width - left - 8), height - bottom - (y - y0) / (y1 - y0) * (height - bottom - 8)];
  const lines = series.map((points, index) => points.length > 0 && s("polyline", {
    points: points.map((point) => at(point).map((c) => c.toFixed(1)).join(",")).join(" "), class: `series series-${index % 5}`,
  }));
  const last = series.map((points, index) => points.length > 0 && s("circle", { cx: at(points.at(-1))[0], cy: at(points.at(-1))[1], r: 3.5, class: `dot series-${index % 5}` }));
  const ticks = [y0, (y0 + y1) / 2, y1].map((y) => {
    const [, py] = at([x0, y]);
    return [s("line", { x1: left, x2: width - 8, y1: py, y2: py, class: "grid" }), s("text", { x: left - 5, y: py + 4, class: "tick y" }, format(y))];
  });
  const ends = [x0, x1].map((x, index) => s("text", { x: at([x, y0])[0], y: height - 5, class: `tick ${index ? "end" : ""}` }, String(x)));
  const latest = series.map((points) => (points.length ? format(points.at(-1)[1]) : "")).filter(Boolean).join(", ");
  return h("figure", {}, h("figcaption", {}, title, h("small", {}, `latest ${latest}`)),
    s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} by round, latest ${latest}` }, ticks, ends, lines, last));
}

/** Whether a spec's game is one that the page can draw. */
export function isKnown(spec) {
  return gameOf(spec).specs.length > 0;
}
