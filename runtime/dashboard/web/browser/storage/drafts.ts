import { now } from "../../text/dates.js";
import { forget, keep, kept, keptNames } from "./preferences.js";

export interface Draft {
  /** The tag of the record when it was opened; null for a new record. */
  readonly etag: string | null;
  /** Time of the last change in milliseconds since the epoch. */
  readonly at: number;
  /** Only the changed fields. */
  readonly fields: Readonly<Record<string, { readonly before: string; readonly mine: string }>>;
  /** The request that was sent and got no response. */
  readonly attempt: { readonly body: string; readonly key: string } | null;
}

export const maxDrafts = 50;
/** Maximum length of a draft in UTF-16 units, the unit of browser storage. */
export const maxDraftLength = 200_000;
/** Days for which a draft stays in this browser. */
export const maxDraftDays = 30;

const maxAgeMs = maxDraftDays * 86_400_000;

const prefix = "draft:";

/** Returns the name of a draft; `id` is null for a new record. */
export function draftName(account: string, resource: string, id: string | null): string {
  return `${prefix}${account}:${resource}:${id ?? "new"}`;
}

/** Stores a draft. Returns false if it is too long, or the storage is full. */
export function keepDraft(name: string, draft: Draft): boolean {
  const text = JSON.stringify(draft);
  if (text.length > maxDraftLength) {
    forget(name);
    return false;
  }
  prune(name);
  return keep(name, text);
}

export function keptDraft(name: string): Draft | null {
  const draft = readDraft(kept(name));
  if (draft !== null && now() - draft.at <= maxAgeMs) return draft;
  forget(name);
  return null;
}

export function forgetDraft(name: string): void {
  forget(name);
}

/** Removes expired drafts, and the oldest drafts beyond the maximum. */
function prune(next: string): void {
  const drafts = keptNames(prefix)
    .filter((name) => name !== next)
    .map((name) => ({ name, at: readDraft(kept(name))?.at ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const [place, { name, at }] of drafts.entries()) {
    if (place >= maxDrafts - 1 || now() - at > maxAgeMs) forget(name);
  }
}

function readDraft(text: string | null): Draft | null {
  if (text === null) return null;
  try {
    const draft: unknown = JSON.parse(text);
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const { at, fields } = value as Partial<Draft>;
  return (
    typeof at === "number" &&
    typeof fields === "object" &&
    fields !== null &&
    Object.values(fields).every(
      ({ before, mine }) => typeof before === "string" && typeof mine === "string",
    )
  );
}
