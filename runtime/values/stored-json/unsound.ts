import { jsonFaults } from "./faults.js";
import { type JsonIssue, jsonWords } from "./rules.js";

/** Replaces a JSON value whose text has mistakes that the parsed value does not show. */
export class UnsoundJson {
  readonly issues: readonly JsonIssue[];

  constructor(issues: readonly JsonIssue[]) {
    this.issues = issues;
  }
}

/** Parses the JSON text of one value; null if it is not JSON. */
export function parseValue(text: string): { readonly value: unknown } | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const faults = jsonFaults(text);
  return { value: faults.length === 0 ? value : new UnsoundJson(faults) };
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the members of an object. Each chosen member whose text has mistakes is replaced by an `UnsoundJson`. `path`
 * is the path to the object in the text.
 */
export function markedMembers(
  members: Members,
  chosen: (key: string) => boolean,
  {
    faults,
    path = [],
  }: { readonly faults: readonly JsonIssue[]; readonly path?: JsonIssue["path"] },
): Members {
  const marked = new Map<string, JsonIssue[]>();
  for (const fault of faults) {
    const [key, ...inside] = fault.path.slice(path.length);
    const isInside = path.every((part, at) => fault.path[at] === part);
    if (!isInside || typeof key !== "string" || !chosen(key)) continue;
    // A repeated key is a mistake of the object itself, not of the value.
    const isOwn = inside.length === 0 && fault.message === jsonWords.repeated;
    if (isOwn) continue;
    marked.set(key, [...(marked.get(key) ?? []), { path: inside, message: fault.message }]);
  }
  if (marked.size === 0) return members;
  const unsound = [...marked].map(([key, issues]) => [key, new UnsoundJson(issues)] as const);
  return { ...members, ...Object.fromEntries(unsound) };
}
