import { createHash } from "node:crypto";

/** A position in the log: all changes after it were committed later, or are not numbered yet. */
export interface Position {
  /** The log's id; a restore gives it a new one. */
  readonly log: string;
  /** The number of the last change before the position. */
  readonly n: number;
  /** Identifies the release that produced the reader's records: other releases may use another format. */
  readonly release: string;
  /**
   * Identifies the role of the stream that sent the position, and the account if only its records are streamed; empty
   * if the position was sent with a list.
   */
  readonly rights: string;
}

/** Returns the position as text, which readers send back unchanged. */
export function writePosition({ log, n, release, rights }: Position): string {
  const end = rights === "" ? "" : `-${rights}`;
  return `${log.slice(0, 8)}-${release}-${n.toString(36)}${end}`;
}

/** Parses the text of `writePosition`; null for any other text. `log` is only the first characters of the id. */
export function readPosition(text: string): Position | null {
  const [, log = "", release = "", n = "", rights = ""] = form.exec(text) ?? [];
  const number = Number.parseInt(n, 36);
  return log !== "" && Number.isSafeInteger(number) ? { log, release, n: number, rights } : null;
}

const form = /^([0-9a-f]{8})-([0-9a-z]{1,16})-([0-9a-z]{1,11})(?:-((?:[0-9a-f]{8}){1,2}))?$/;

/** Returns eight hexadecimal digits that identify a JSON value in positions. */
export function shortHash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 8);
}

/** Whether the position may be used with these rights: roles must match, and accounts if both name one. */
export function isOfRights(position: Position, rights: string): boolean {
  const length = Math.min(position.rights.length, rights.length);
  return position.rights.slice(0, length) === rights.slice(0, length);
}

/** Whether the position is in the log with that id. */
export function isOfLog(position: Position, log: string): boolean {
  return log.slice(0, 8) === position.log.slice(0, 8);
}
