import { ApiError, NetworkError, sentence } from "../../api/errors.js";
import type { Field } from "../../api/types.js";
import { en } from "../../text/en.js";
import { enRecord } from "../../text/en-record.js";
import { now } from "../../text/format.js";

const text = enRecord;

/** Why a record was not saved. */
export type Refusal =
  | { readonly kind: "none" }
  /** It is unknown whether the record was written: it is sent again with the same key. */
  | { readonly kind: "unsent"; readonly message: string }
  | { readonly kind: "wait"; readonly until: number }
  | {
      readonly kind: "refused";
      /** The message that belongs to no field of the form. */
      readonly messages: readonly string[];
    };

export const noRefusal: Refusal = { kind: "none" };

/** The refusal of a write, with the messages at the fields. */
export function readRefusal(
  error: unknown,
  fields: readonly Field[],
): { readonly refusal: Refusal; readonly fields: Readonly<Record<string, string>> } {
  if (!(error instanceof ApiError)) {
    const isLost = error instanceof NetworkError;
    return isLost
      ? { refusal: { kind: "unsent", message: "" }, fields: {} }
      : { refusal: { kind: "refused", messages: [sentence(error)] }, fields: {} };
  }
  const isAway = [502, 503, 504].includes(error.status);
  // An earlier request with the same body is still under way.
  const isUnderWay = error.status === 409 && error.retryAfter !== null;
  if (isAway || isUnderWay) {
    return { refusal: { kind: "unsent", message: isUnderWay ? error.message : "" }, fields: {} };
  }
  if (error.status === 429) {
    const until = now() + (error.retryAfter ?? 60) * 1_000;
    return { refusal: { kind: "wait", until }, fields: {} };
  }
  const isKnown = (path: string | undefined) => fields.some(({ name }) => name === path);
  const issues =
    error.field === null ? error.issues : [{ path: error.field, message: error.message }];
  const found = issues.filter(({ path }) => isKnown(path));
  const others = issues
    .filter(({ path }) => !isKnown(path))
    .map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`));
  const general = error.status === 413 ? [sentence(error), text.shorten] : [sentence(error)];
  return {
    refusal: { kind: "refused", messages: issues.length === 0 ? general : others },
    // The first message of a field is the most important one.
    fields: Object.fromEntries(found.reverse().map(({ path = "", message }) => [path, message])),
  };
}

/** The refusal in one text, for a page without the form's fields. */
export function refusalText(refusal: Refusal): string | null {
  switch (refusal.kind) {
    case "none":
      return null;
    case "unsent":
      return `${text.notSaved} ${refusal.message === "" ? text.unreachable : refusal.message}`;
    case "wait":
      return `${text.notSaved} ${en.errors.tooMany}`;
    case "refused":
      return refusal.messages.length === 0 ? text.notSaved : refusal.messages.join(" ");
    default:
      return refusal satisfies never;
  }
}
