import { hourMs } from "./meter.js";

/** The slow statements of one process, by their texts, which have no values. */
export interface SlowList {
  note(statement: string, milliseconds: number): void;
  /** Those of the last hour. */
  all(): readonly SlowStatement[];
}

export interface SlowStatement {
  readonly statement: string;
  /** Of the slowest run. */
  readonly milliseconds: number;
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly lastAt: number;
}

/** The runs of a statement within a minute. */
interface Minute {
  readonly at: number;
  milliseconds: number;
  count: number;
  lastAt: number;
}

/** Statements that are kept: clients choose the shape of some. Beyond it that goes which was seen longest ago. */
const maxStatements = 200;
/** Characters of a statement. */
const maxLength = 2_000;
const minuteMs = 60_000;

/** `now` answers milliseconds since 1970. */
export function newSlowList(now: () => number): SlowList {
  /** The one seen last at the end. */
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
  // After the clock was put back some are of a time to come.
  return minutes.filter(({ at }) => at > time - hourMs && at <= time);
}

/** Runs of one statement as one entry. */
export function summed(
  parts: readonly Omit<SlowStatement, "statement">[],
): Omit<SlowStatement, "statement"> {
  return {
    milliseconds: Math.max(...parts.map(({ milliseconds }) => milliseconds)),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    lastAt: Math.max(...parts.map(({ lastAt }) => lastAt)),
  };
}
