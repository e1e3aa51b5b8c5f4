import { hourMs } from "./meter.js";

/** The slow statements of one process by text, without values. */
export interface SlowList {
  note(statement: string, milliseconds: number): void;
  /** Returns the statements of the last hour. */
  all(): readonly SlowStatement[];
}

export interface SlowStatement {
  readonly statement: string;
  /** The duration of the slowest run. */
  readonly milliseconds: number;
  readonly count: number;
  /** The time of the last run, in milliseconds since 1970. */
  readonly lastAt: number;
}

/** The runs of a statement within a minute. */
interface Minute {
  readonly at: number;
  milliseconds: number;
  count: number;
  lastAt: number;
}

/**
 * The maximum number of statements, since clients choose the shape of some. The least recently seen are removed first.
 */
const maxStatements = 200;
/** The maximum length of a statement, in characters. */
const maxLength = 2_000;
const minuteMs = 60_000;

/** `now` returns milliseconds since 1970. */
export function newSlowList(now: () => number): SlowList {
  /** In order of last use, the latest at the end. */
  const kept = new Map<string, Minute[]>();

  function note(statement: string, milliseconds: number): void {
    const time = now();
    const text = statement.trim().slice(0, maxLength);
    const minutes = recent(kept.get(text) ?? [], time);
    kept.delete(text);
    kept.set(text, minutes);
    const at = time - (time % minuteMs);
    let minute = minutes.at(-1);
    if (minute === undefined || minute.at < at) {
      minute = { at, milliseconds: 0, count: 0, lastAt: time };
      minutes.push(minute);
    }
    minute.milliseconds = Math.max(minute.milliseconds, milliseconds);
    minute.count += 1;
    minute.lastAt = time;
    if (kept.size > maxStatements) {
      const [oldest = ""] = kept.keys();
      kept.delete(oldest);
    }
  }

  function all(): readonly SlowStatement[] {
    const time = now();
    return [...kept].flatMap(([statement, minutes]) => {
      const found = recent(minutes, time);
      return found.length === 0 ? [] : [{ statement, ...summed(found) }];
    });
  }

  return { note, all };
}

function recent(minutes: readonly Minute[], time: number): Minute[] {
  // If the clock was set back, some minutes are in the future.
  return minutes.filter(({ at }) => at > time - hourMs && at <= time);
}

/** Sums the runs of one statement into one entry. */
export function summed(
  parts: readonly Omit<SlowStatement, "statement">[],
): Omit<SlowStatement, "statement"> {
  return {
    milliseconds: Math.max(...parts.map(({ milliseconds }) => milliseconds)),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    lastAt: Math.max(...parts.map(({ lastAt }) => lastAt)),
  };
}
