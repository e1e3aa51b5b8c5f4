/** A place in the log: what comes after it was committed later, or is not numbered yet. */
export interface Position {
  /** The log's id: after a restore there is another. */
  readonly log: string;
  /** The number of the last change before it. */
  readonly n: number;
  /** What identifies the release whose records a reader has: those of another may be of another form. */
  readonly release: string;
}

/** The position as readers pass it back, without looking into it. */
export function writePosition({ log, n, release }: Position): string {
  return `${log.slice(0, 8)}-${release}-${n.toString(36)}`;
}

/** Reads what `writePosition` wrote; null for any other text. Of the log's id it has the first characters. */
export function readPosition(text: string): Position | null {
  const [, log = "", release = "", n = ""] = form.exec(text) ?? [];
  const number = Number.parseInt(n, 36);
  return log !== "" && Number.isSafeInteger(number) ? { log, release, n: number } : null;
}

const form = /^([0-9a-f]{8})-([0-9a-z]{1,16})-([0-9a-z]{1,11})$/;

/** Whether the position is one of the log with that id. */
export function isOfLog(position: Position, log: string): boolean {
  return log.slice(0, 8) === position.log.slice(0, 8);
}
