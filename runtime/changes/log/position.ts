/** A position in the log: all changes after it were committed later, or are not numbered yet. */
export interface Position {
  /** The log's id; a restore gives it a new one. */
  readonly log: string;
  /** The number of the last change before it. */
  readonly n: number;
  /** Identifies the release whose records a reader has: those of another release may have another form. */
  readonly release: string;
  /** Identifies the rights with which a stream was read up to the position; empty where it comes with a list. */
  readonly rights: string;
}

/** The position as text, which readers send back unchanged. */
export function writePosition({ log, n, release, rights }: Position): string {
  const end = rights === "" ? "" : `-${rights}`;
  return `${log.slice(0, 8)}-${release}-${n.toString(36)}${end}`;
}

/** Reads what `writePosition` wrote; null for any other text. `log` has the first characters of the id only. */
export function readPosition(text: string): Position | null {
  const [, log = "", release = "", n = "", rights = ""] = form.exec(text) ?? [];
  const number = Number.parseInt(n, 36);
  return log !== "" && Number.isSafeInteger(number) ? { log, release, n: number, rights } : null;
}

const form = /^([0-9a-f]{8})-([0-9a-z]{1,16})-([0-9a-z]{1,11})(?:-([0-9a-f]{8}))?$/;

/** Whether the position is one of the log with that id. */
export function isOfLog(position: Position, log: string): boolean {
  return log.slice(0, 8) === position.log.slice(0, 8);
}
