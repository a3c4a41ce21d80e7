// A game with its variations: a tree of actions from a start.

/** A position of the tree. */
class Node {
  constructor(parent, action, text) {
    this.parent = parent;
    this.action = action;
    this.text = text;
    /** Who played it, once known. */
    this.player = null;
    /** @type {Node[]} the first is the main line */
    this.children = [];
    /** The structured position, once asked for. */
    this.position = null;
    /** The latest analysis by agent. */
    this.analyses = new Map();
    this.note = "";
    /** What a clock showed when it was reached; null without one. */
    this.times = null;
  }

  get ply() {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** The actions from the start. */
  get actions() {
    const actions = [];
    for (let node = this; node.parent; node = node.parent) actions.push(node.action);
    return actions.reverse();
  }

  /** The nodes from the root on, this one included. */
  get path() {
    const path = [];
    for (let node = this; node; node = node.parent) path.push(node);
    return path.reverse();
  }
}

export class Tree {
  /** @param {string} game @param {string|null} from */
  constructor(game, from = null) {
    this.game = game;
    this.from = from;
    this.root = new Node(null, null, "");
    this.current = this.root;
  }

  /** The line to a node, as the server wants it. */
  line(node = this.current) {
    return { game: this.game, from: this.from, actions: node.actions };
  }

  /** Goes to the child of an action. */
  play(action, text) {
    this.current = this.add(action, text);
    return this.current;
  }

  /**
   * Plays what the server read from a text, with its notes, and knows where that leads.
   * @param {{actions: number[], texts: string[], notes?: string[], position: any}} played
   */
  playAll({ actions, texts, notes, position }) {
    if (notes?.[0]) this.current.note = notes[0];
    actions.forEach((action, index) => {
      const node = this.play(action, texts[index]);
      if (notes?.[index + 1]) node.note = notes[index + 1];
    });
    this.current.position = position;
  }

  /**
   * The whole tree as text: the state that it begins with, unless that is the game's own, then a line of moves for each
   * variation, the main line first, with their notes in braces where a move is written first.
   */
  get record() {
    const told = new Set();
    return [this.from, ...this.ends().map((end) => lineText(end.path, told))].filter(Boolean).join("\n");
  }

  /** The main line as `tablero replay` and the other commands read it: headers, moves with their notes, the result. */
  get recordedGame() {
    const header = (name, value) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`;
    const headers = [header("Game", this.game), ...(this.from ? [header("From", this.from)] : [])];
    const [end] = this.ends();
    const outcome = end.position?.outcome;
    const result = outcome ? { 0: "1-0", 1: "0-1" }[outcome.winner] ?? "1/2-1/2" : "*";
    return [headers.join(" "), lineText(end.path, new Set()), result].filter(Boolean).join("\n");
  }

  /** The last nodes of all lines, that of the main line first. */
  ends(node = this.root) {
    return node.children.length === 0 ? [node] : node.children.flatMap((child) => this.ends(child));
  }

  /** The child of an action, which is made if there is none. */
  add(action, text) {
    const player = this.current.position?.player ?? null;
    let child = this.current.children.find((other) => other.action === action);
    if (!child) {
      child = new Node(this.current, action, text);
      child.player = player;
      this.current.children.push(child);
    }
    if (text) child.text = text;
    return child;
  }

  /** The nodes of the main line through the current one. */
  mainLine() {
    const line = this.current.path;
    while (line.at(-1).children.length > 0) line.push(line.at(-1).children[0]);
    return line;
  }

  /** Takes a node and what follows away, and goes to its parent. */
  remove(node) {
    if (!node.parent) return;
    if (this.current.path.includes(node)) this.current = node.parent;
    node.parent.children = node.parent.children.filter((other) => other !== node);
  }

  /** Makes a node the main line at its parent. */
  promote(node) {
    if (!node.parent) return;
    const others = node.parent.children.filter((other) => other !== node);
    node.parent.children = [node, ...others];
  }
}

/** A line of moves with their notes in braces, without those of nodes that are told already. */
function lineText([root, ...moves], told) {
  const note = (node) => {
    if (!node.note || told.has(node)) return "";
    told.add(node);
    return `{${node.note.replace(/[{}]/g, "").replace(/\s+/g, " ").trim()}}`;
  };
  const first = note(root);
  const steps = moves.map((node) => [node.text || String(node.action), note(node)].filter(Boolean).join(" "));
  return [first, steps.join(" ; ")].filter(Boolean).join(" ");
}
