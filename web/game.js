// The games: their modules, the sizes that are offered, and the names of their sides.

import * as dots from "./games/dots.js";
import * as hive from "./games/hive.js";
import * as list from "./games/list.js";
import * as queens from "./games/queens.js";
import * as soccer from "./games/soccer.js";
import * as xadrersi from "./games/xadrersi.js";

/** @type {Record<string, {title: string, module: any, specs: [string, string][]}>} */
export const GAMES = {
  "dots-and-boxes": {
    title: "Dots and Boxes",
    module: dots,
    specs: [
      ["dots-and-boxes:3x3", "3 × 3 boxes"],
      ["dots-and-boxes:4x4", "4 × 4 boxes"],
      ["dots-and-boxes:5x5", "5 × 5 boxes"],
      ["dots-and-boxes:7x7", "7 × 7 boxes"],
    ],
  },
  queens: {
    title: "Queens duel",
    module: queens,
    specs: [
      ["queens:6", "6 × 6"],
      ["queens:8", "8 × 8"],
      ["queens:12", "12 × 12"],
    ],
  },
  "paper-soccer": {
    title: "Paper Soccer",
    module: soccer,
    specs: [
      ["paper-soccer:4x4", "4 × 4"],
      ["paper-soccer:6x8", "6 × 8"],
      ["paper-soccer:8x10", "8 × 10"],
      ["paper-soccer:10x12", "10 × 12"],
    ],
  },
  xadrersi: {
    title: "Xadrersi",
    module: xadrersi,
    specs: [["xadrersi", "the one board"]],
  },
  hive: {
    title: "Hive",
    module: hive,
    specs: [
      ["hive:base", "base"],
      ["hive:base+m", "base + mosquito"],
      ["hive:base+mlp", "base + all three bugs"],
    ],
  },
};

const UNKNOWN = { title: "Game", module: list, specs: [] };

/** What is known of the game of a spec. */
export function gameOf(spec) {
  const name = spec.split(":")[0];
  return GAMES[name] ?? { ...UNKNOWN, title: name };
}

/** The name of a side. */
export function sideName(spec, player) {
  return gameOf(spec).module.SIDES[player];
}

/** A result in words. */
export function resultText(spec, outcome) {
  const points = outcome.points ? `, ${outcome.points[0]} to ${outcome.points[1]}` : "";
  if (outcome.winner === null) return `A draw${points}`;
  return `${sideName(spec, outcome.winner)} wins${points}`;
}

/** Who moves, and why again. */
export function turnText(position) {
  if (position.outcome) return resultText(position.game, position.outcome);
  const side = sideName(position.game, position.player);
  if (position.again) return `${side} moves again, ${position.again}`;
  return `${side} to move`;
}
