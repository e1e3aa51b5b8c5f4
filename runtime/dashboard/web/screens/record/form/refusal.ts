import { ApiError, NetworkError, sentence } from "../../../api/client/errors.js";
import type { Field, Resource } from "../../../api/client/types.js";
import { now } from "../../../text/dates.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";

const text = enRecord;

/** Why a record was not saved. */
export type Refusal =
  | { readonly kind: "none" }
  /** It is unknown whether the record was written: it is sent again with the same key. */
  | { readonly kind: "unsent"; readonly message: string }
  | { readonly kind: "wait"; readonly until: number }
  | {
      readonly kind: "refused";
      /** Messages that belong to no field of the form. */
      readonly messages: readonly string[];
    };

export const noRefusal: Refusal = { kind: "none" };

/** The refusal of a write, with messages by field. */
export interface ReadRefusal {
  readonly refusal: Refusal;
  readonly fields: Readonly<Record<string, string>>;
  /** Groups of fields whose values were refused as a combination. */
  readonly together: readonly (readonly string[])[];
}

/** Parses the refusal of a write of these fields; `unique` lists the fields that are unique in combination. */
export function readRefusal(
  error: unknown,
  fields: readonly Field[],
  unique: Resource["unique"] = [],
): ReadRefusal {
  return {
    ...readSentences(error, fields),
    together: unique.filter((names) => error instanceof ApiError && isAbout(error, names, fields)),
  };
}

/**
 * Whether the error refuses the combined values of these fields: a 409 names the first, a 422 has
 * the same message at each.
 */
function isAbout(
  { field, issues }: ApiError,
  names: readonly string[],
  fields: readonly Field[],
): boolean {
  if (field !== null) {
    return names[0] === field && fields.find(({ name }) => name === field)?.unique !== true;
  }
  const shown = names.filter((name) => fields.some((one) => one.name === name));
  const saidAt = (path: string) =>
    issues.filter((issue) => issue.path === path).map(({ message }) => message);
  const [first = "", ...others] = shown;
  return saidAt(first).some((message) => others.every((name) => saidAt(name).includes(message)));
}

function readSentences(error: unknown, fields: readonly Field[]): Omit<ReadRefusal, "together"> {
  if (!(error instanceof ApiError)) {
    const isLost = error instanceof NetworkError;
    return isLost
      ? { refusal: { kind: "unsent", message: "" }, fields: {} }
      : { refusal: { kind: "refused", messages: [sentence(error)] }, fields: {} };
  }
  const isAway = [502, 503, 504].includes(error.status);
  // An earlier request with the same body is under way.
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
    error.field === null
      ? error.issues.map((issue) => atField(issue, fields))
      : [{ path: error.field, message: error.message }];
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

/** Assigns an issue inside a field's value to the field; its message names the part. */
function atField(issue: Issue, fields: readonly Field[]): Issue {
  const [name = "", ...inside] = issue.path?.split(".") ?? [];
  if (inside.length === 0 || !fields.some((field) => field.name === name)) return issue;
  return { ...issue, path: name, message: `${inside.join(".")}: ${issue.message}` };
}

type Issue = ApiError["issues"][number];

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
