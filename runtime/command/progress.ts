import { rewrittenLine, sayProgress } from "./report.js";

/** Shows the progress of long work in a line of the terminal that is rewritten; shows nothing without a terminal. */
export function startBar(what: string) {
  const write = rewrittenLine();
  return {
    show(done: number, total: number): void {
      const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
      const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
      write?.(`${bar} ${done} of ${total} ${what}`);
    },
    end(): void {
      write?.("");
    },
  };
}

const barWidth = 24;

/** Milliseconds between two reports of a rate: in a rewritten line of a terminal, and in separate lines. */
const rateMs = { line: 200, lines: 10_000 };

/**
 * Shows the progress of long work with its rate and the remaining time: in a line of the terminal
 * that is rewritten, or else as a line every ten seconds.
 */
export function startRate(what: string) {
  const write = rewrittenLine();
  const pause = write === null ? rateMs.lines : rateMs.line;
  const began = performance.now();
  let next = began + pause;
  return {
    /** `part` is the completed fraction of the work; null if unknown. */
    show(done: number, part: number | null): void {
      const now = performance.now();
      if (now < next) return;
      next = now + pause;
      const seconds = (now - began) / 1_000;
      const left = part === null || part <= 0 || part > 1 ? null : (seconds / part) * (1 - part);
      const time = left === null ? "" : `, ${Math.ceil(left)} s left`;
      const line = `${done} ${what}, ${Math.round(done / seconds)}/s${time}`;
      if (write === null) sayProgress(line);
      else write(line);
    },
    end(): void {
      write?.("");
    },
  };
}
