// A chess clock: time for each side, and an increment after each turn. It knows no game: it is told
// whose turn it is, and tells when a time is over.

/** What is offered: minutes and seconds as text, and in words. */
export const CLOCKS = [
  ["", "no clock"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes, 2 s a turn"],
  ["5+3", "5 minutes, 3 s a turn"],
  ["15+10", "15 minutes, 10 s a turn"],
];

/** How often it is read, in milliseconds. */
const PERIOD = 100;
/** From here on tenths of a second are shown. */
const SHORT = 10_000;

export class Clock {
  /**
   * @param {string} text minutes and increment in seconds, such as 3+2
   * @param {{onread: () => void, onfall: (player: number) => void}} handlers
   */
  constructor(text, handlers) {
    const [minutes, seconds] = text.split("+").map(Number);
    this.handlers = handlers;
    this.increment = seconds * 1000;
    /** Milliseconds left by side, without those that run now. */
    this.left = [minutes * 60_000, minutes * 60_000];
    /** Whose time runs; null where none does. */
    this.running = null;
  }

  /** Milliseconds that a side has now. */
  of(player) {
    const used = this.running === player ? performance.now() - this.since : 0;
    return Math.max(0, this.left[player] - used);
  }

  /** Whether a side's time is over. */
  isOver(player) {
    return this.of(player) === 0;
  }

  /** Stands still. */
  stop() {
    if (this.running === null) return;
    this.left[this.running] = this.of(this.running);
    this.running = null;
    clearInterval(this.timer);
  }

  /** A side's turn: whose time runs from now on. The other has ended its turn where it had one. */
  turn(player) {
    if (this.running === player) return;
    const before = this.running;
    this.stop();
    if (before !== null && !this.isOver(before)) this.left[before] += this.increment;
    [this.running, this.since] = [player, performance.now()];
    this.timer = setInterval(() => this.read(), PERIOD);
  }

  /** Goes back to times that were. */
  restore(left) {
    this.stop();
    this.left = [...left];
  }

  read() {
    const player = this.running;
    this.handlers.onread();
    if (player === null || !this.isOver(player)) return;
    this.stop();
    this.handlers.onfall(player);
  }

  /** A side's time as text. */
  text(player) {
    const time = this.of(player);
    if (time < SHORT) return (time / 1000).toFixed(1);
    const seconds = Math.ceil(time / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
