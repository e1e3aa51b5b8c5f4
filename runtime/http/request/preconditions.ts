import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";
import { originalTag } from "../../values/api/entity-tag.js";

/** The entity tags of which the record must have one; null if there is no condition. */
export type Precondition = readonly string[] | null;

/**
 * Parses `If-Match` of a write (RFC 9110 §13.1.1). Refuses a malformed one, and `If-None-Match`, which writes do not
 * support (400).
 */
export function ifMatchOf({ headers }: IncomingMessage): Precondition {
  if (headers["if-none-match"] !== undefined) refuseHeader("If-None-Match is for GET");
  const header = headers["if-match"];
  if (header === undefined) return null;
  const condition = readPrecondition(header);
  if (condition !== undefined) return condition;
  return refuseHeader("If-Match must be * or a list of entity tags");
}

/** Refuses preconditions on requests that create something (400). */
export function refusePreconditions({ headers }: IncomingMessage): void {
  if (headers["if-none-match"] !== undefined) refuseHeader("If-None-Match is for GET");
  if (headers["if-match"] !== undefined) refuseHeader("If-Match is for a record that exists");
}

/** Whether `If-None-Match` contains the tag; false if it is malformed. */
export function isTagKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return readTags(header)?.includes(originalTag(tag)) ?? false;
}

/** Parses a precondition in the syntax of `If-Match`; undefined if it is malformed. */
export function readPrecondition(text: string): Precondition | undefined {
  return text.trim() === "*" ? null : readTags(text);
}

const listElement = /[ \t]*((?:W\/)?"[!#-~\x80-\xff]*")?[ \t]*(,|$)/y;

/** Reads comma-separated entity tags of this server; undefined if the text is malformed or empty. */
function readTags(text: string): string[] | undefined {
  const tags: string[] = [];
  listElement.lastIndex = 0;
  for (;;) {
    const element = listElement.exec(text);
    if (element === null) return undefined;
    const [, tag, end] = element;
    if (tag !== undefined) tags.push(originalTag(tag));
    if (end === "") return tags.length === 0 ? undefined : tags;
  }
}

function refuseHeader(error: string): never {
  return refuse("BAD_REQUEST", { error });
}
