// Training, live: the runs of the folder while they train, several laid over each other.

import { get } from "./api.js";
import { button, duration, grouped, h, percent, replace, s, say, scrolling } from "./dom.js";
import { gameOf, resultText } from "./game.js";

/** How often it is looked whether a run has gone on. */
const PERIOD = 3000;

/** A number of a round's self-play, or of its learning, in rounds that have any. */
const played = (value) => (round) => (round.self_play ? value(round.self_play) : undefined);
const learnt = (value) => (round) => (round.learning ? value(round.learning) : undefined);

/** Three significant digits, without an exponent. */
function digits(y) {
  return String(Number(y.toPrecision(3)));
}

/**
 * The plots by round under their headings: a title, what is drawn of a round, how it is written, and what it
 * tells.
 */
const PLOTS = [
  ["Learning", [
    ["Policy loss, nats", learnt((report) => report.policy_loss), digits,
      "Cross entropy between the search's policies and the network's, over positions of the window."],
    ["Value loss, nats", learnt((report) => report.value_loss), digits,
      "Cross entropy between win, draw and loss as they came about and as the network expects them."],
    ["Value loss of games not learnt from yet, nats", learnt((report) => report.new_value_loss ?? undefined), digits,
      "The same for the newest games. Far above the loss of the window, the network learns its games by heart."],
    ["Policy loss of games not learnt from yet, nats", learnt((report) => report.new_policy_loss ?? undefined), digits,
      "The policy loss of the newest games."],
    ["Points loss", learnt((report) => report.points_loss || undefined), digits,
      "The squared error of the expected final points, in games that have points."],
    ["Probability on illegal moves", learnt((report) => report.illegal_share || undefined), percent,
      "What the policy gives to illegal moves before they are masked."],
    ["Calibration error of the value", learnt((report) => report.calibration_error), digits,
      "How far the expected result is from the real one on average, in points of a game from 0 to 1."],
    ["Norm of the gradient", learnt((report) => report.gradient_norm), digits,
      "The mean length of the gradient before it is clipped."],
    ["Positions in the window", learnt((report) => report.window_positions), grouped,
      "Positions of recent games that are learnt from."],
  ]],
  ["Self-play", [
    ["Entropy of the search's policies, nats", played((games) => games.policy_entropy), digits,
      "0 where the search is sure of one move; the logarithm of the number of moves where it knows nothing."],
    ["Wins of the first player", played((games) => games.first_player_wins), percent,
      "The share of games of self-play that the first player won."],
    ["Draws", played((games) => games.draws), percent, "The share of games that were drawn."],
    ["Plies of a game", played((games) => games.mean_plies), digits, "The mean length of a game, its random opening included."],
    ["Distinct games of a round", played((games) => games.distinct_games / Math.max(1, games.games)), percent,
      "The share of games that differ. Where it falls, self-play repeats itself."],
    ["Positions with a proven value", played((games) => games.proven_share), percent,
      "The share of searched positions whose exact result the search proved."],
  ]],
  ["Speed", [
    ["Evaluations a second", played((games) => games.evaluations / Math.max(1e-9, games.seconds)), grouped,
      "Positions that the network evaluated, over all threads."],
    ["Self-play spent in leaf evaluation", played((games) => games.evaluation_share), percent,
      "The share of the workers' time that the network took."],
    ["Seconds of a round", (round) => round.seconds, digits, "By the wall clock."],
    ["Seconds of self-play", played((games) => games.seconds), digits, "By the wall clock; self-play and learning overlap."],
    ["Seconds of learning", learnt((report) => report.seconds), digits, "By the wall clock; self-play and learning overlap."],
    ["Memory after a round, MiB", (round) => (round.memory_bytes ? round.memory_bytes / 2 ** 20 : undefined), grouped,
      "What the process held when the round ended."],
  ]],
];

const SCORE_TELLS = "Points a game, a draw being half a point, with the 95 % interval.";
const ELO_TELLS = "The difference in playing strength from the score, with its 95 % interval. 0 is equal; +200 is a score of 76 %. Scores of 0 and 100 % have none.";
const REGRET_TELLS = "The share of critical decisions, in which some move keeps the best result and another loses it, that were wrong by the exact solver.";

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
    replace(this.list, h("h2", {}, `Training runs in ${folder}`), scrolling("Runs", h("table", {},
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
      h("details", {}, h("summary", {}, "Configuration"), scrolling("Configuration", h("pre", {}, run.config))));
  }

  /** The latest match of each kind. */
  matches(run) {
    const latest = new Map();
    for (const match of ownMatches(run)) latest.set(kindOf(match.report), match);
    if (latest.size === 0) return h("p", { class: "quiet" }, "No match was played with this run yet.");
    // What others score against the same opponent, where that was measured.
    const hasReferences = [...latest.values()].some(({ report }) => report.references);
    const references = (report) => hasReferences ? ["perfect", "random"].map((player) => percent(report.references?.[player]) || "–") : [];
    const rows = [...latest.values()].map(({ checkpoint, report }) => h("tr", {}, h("td", {}, report.b), h("td", {}, String(checkpoint)),
      h("td", {}, String(report.a_search?.sims ?? "–")),
      ["opening_plies", "games", "distinct_games", "wins", "draws", "losses"].map((key) => h("td", {}, String(report[key] ?? "–"))),
      h("td", {}, `${percent(report.score)} (${percent(report.score_low)} to ${percent(report.score_high)})`),
      references(report).map((score) => h("td", {}, score)),
      h("td", {}, regretOf(report) === undefined ? "–" : percent(regretOf(report)))));
    return scrolling("Matches", h("table", {}, h("thead", {}, h("tr", {},
      ["opponent", "checkpoint", "simulations", "random plies", "games", "distinct", "wins", "draws", "losses", "score (95 %)", ...(hasReferences ? ["perfect play scores", "random play scores"] : []), "regret against the solver"].map((title) => h("th", {}, title)))), h("tbody", {}, rows)));
  }

  games(run) {
    if (run.latest.length === 0) return null;
    return h("details", {}, h("summary", {}, "Newest self-play games"), h("div", { class: "row wrap" }, run.latest.map((game) =>
      button(`${game.id}: ${resultText(run.game, game.outcome)}, ${game.actions.length} plies`,
        () => this.app.openGame(run.game, game), { class: "small" }))));
  }

  /**
   * Score, Elo and regret by checkpoint, a plot for each kind of match: points of one curve have the same opponent,
   * search and openings.
   */
  strength(runs) {
    const kinds = new Map(runs.flatMap((run) => ownMatches(run).map(({ report }) => [kindOf(report), report])));
    const curves = [...kinds].map(([kind, report]) => {
      // Of several matches of one checkpoint the last counts.
      const latest = (run) => new Map(ownMatches(run).filter((match) => kindOf(match.report) === kind)
        .map((match) => [match.checkpoint, match.report]));
      const points = runs.map((run) => [...latest(run)].sort(([a], [b]) => a - b));
      return { report, points, length: Math.max(...points.map((own) => own.length)) };
    });
    return curves.flatMap(({ report, points, length }) => {
      const rivals = curves.filter((other) => other.report.b === report.b);
      // A single match beside curves is in the table.
      if (length < 2 && curves.some((other) => other.length > 1)) return [];
      const { sims } = report.a_search ?? {};
      const options = rivals.length > 1 ? `, ${sims ?? "no"} simulations, ${report.opening_plies} random plies` : "";
      const series = (value) => points.map((own) => own.map(([checkpoint, it]) => [checkpoint, ...value(it)]).filter(isPoint));
      return [plot(`Score against ${report.b}, 95 %${options}`, series((it) => [it.score, it.score_low, it.score_high]), percent, SCORE_TELLS, "checkpoint"),
        plot(`Elo to ${report.b}, 95 %${options}`, series(eloOf), (y) => String(Math.round(y) + 0), ELO_TELLS, "checkpoint"),
        plot(`Regret against ${report.b}${options}`, series((it) => [regretOf(it)]), percent, REGRET_TELLS, "checkpoint")];
    });
  }

  plots(runs) {
    const sections = PLOTS.map(([title, plots]) => [title, plots.map(([name, value, format, tells]) => {
      const series = runs.map((run) => run.rounds.map((round) => [round.checkpoint, value(round)]).filter(isPoint));
      return plot(name, series, format, tells, "round");
    })]);
    return [["Strength", this.strength(runs)], ...sections].map(([title, plots]) => plots.some(Boolean)
      && [h("h2", {}, title), h("div", { class: "plots" }, plots)]);
  }
}

/** Matches of one kind differ in their agents alone: opponent, search and openings are the same. */
function kindOf({ b, a_search: search, opening_plies: plies }) {
  return JSON.stringify([b, search ?? null, plies ?? null]);
}

/** The matches of the run's own agents. */
function ownMatches(run) {
  return run.evaluations.filter(({ report, player }) => report?.b && (player ?? 0) === 0);
}

/** Elo and the ends of its interval; nothing after all wins or all losses, which no Elo explains. */
function eloOf({ elo, elo_low: low, elo_high: high }) {
  return [elo, low, high];
}

/** The share of critical decisions that were wrong. */
function regretOf(report) {
  const optimal = report.oracle?.critical?.optimal_share;
  return typeof optimal === "number" ? 1 - optimal : undefined;
}

function isPoint([, y]) {
  return typeof y === "number" && Number.isFinite(y);
}

/** Round numbers from `low` to `high` or a little beyond, some `n` of them; whole ones if `whole`. */
export function roundTicks(low, high, n, whole = false) {
  const raw = Math.max((high - low) / n, whole ? 1 : 1e-12);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // Not -0, and not 0.30000000000000004.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)) + 0);
}

/** A plot of several series of points, each with an interval or without; null without any point. */
function plot(title, series, format, tells, unit) {
  if (series.every((points) => points.length === 0)) return null;
  const [width, height, left, bottom] = [340, 170, 52, 22];
  const all = series.flat();
  const [xs, ys] = [all.map(([x]) => x), all.flatMap(([, ...y]) => y.filter(Number.isFinite))];
  const [x0, x1] = [Math.min(...xs), Math.max(...xs, Math.min(...xs) + 1)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const pad = high > low ? 0 : Math.abs(high) * 0.1 || 1;
  const yTicks = roundTicks(low >= 0 ? Math.max(0, low - pad) : low - pad, high + pad, 3);
  const [y0, y1] = [yTicks[0], yTicks.at(-1)];
  const at = ([x, y]) => [left + (x - x0) / (x1 - x0) * (width - left - 8), height - bottom - (y - y0) / (y1 - y0) * (height - bottom - 8)];
  const lines = series.map((points, index) => points.length > 0 && s("polyline", {
    points: points.map(([x, y]) => at([x, y]).map((c) => c.toFixed(1)).join(",")).join(" "), class: `series series-${index % 5}`,
  }));
  const intervals = series.map((points, index) => points.filter(([, , low, high]) => Number.isFinite(low) && Number.isFinite(high)).map(([x, , low, high]) => {
    const [[px, p0], [, p1]] = [at([x, low]), at([x, high])];
    return s("line", { x1: px, x2: px, y1: p0, y2: p1, class: `interval series-${index % 5}` });
  }));
  const last = series.map((points, index) => points.length > 0 && s("circle", { cx: at(points.at(-1))[0], cy: at(points.at(-1))[1], r: 3.5, class: `dot series-${index % 5}` }));
  const ticks = yTicks.map((y) => {
    const [, py] = at([x0, y]);
    return [s("line", { x1: left, x2: width - 8, y1: py, y2: py, class: "grid" }), s("text", { x: left - 5, y: py + 4, class: "tick y" }, format(y))];
  });
  const ends = roundTicks(x0, x1, 4, true).filter((x) => x >= x0 && x <= x1).map((x) => {
    const [px] = at([x, y0]);
    const isLast = px > width - 20;
    return s("text", { x: px, y: height - 5, class: `tick ${isLast ? "end" : ""}`, "text-anchor": isLast ? "end" : "middle" }, String(x));
  });
  const latest = series.map((points) => (points.length ? format(points.at(-1)[1]) : "")).filter(Boolean).join(", ");
  return h("figure", { title: tells }, h("figcaption", {}, title, h("small", {}, `latest ${latest}`)),
    s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} by ${unit}, latest ${latest}` }, ticks, ends, intervals, lines, last),
    h("p", { class: "quiet" }, `By ${unit}. ${tells}`));
}

/** Whether a spec's game is one that the page can draw. */
export function isKnown(spec) {
  return gameOf(spec).specs.length > 0;
}
