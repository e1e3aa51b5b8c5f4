import type { Field, Resource, Row } from "../../../../api/client/types.js";
import type { Version } from "../../../../api/records/records.js";
import { bodyOf, changedFields, newBodyOf, type Typed, typedOf } from "../../../../form/state.js";

/** A record that belongs to the form's record, and its changes, saved in the same batch. */
export interface Line {
  /** The record's id, or a generated key for a new one. */
  readonly key: string;
  readonly child: Resource;
  /** The link to the form's record. */
  readonly link: Field;
  /** The fields of the line's form. */
  readonly fields: readonly Field[];
  /** As opened; null for a new one. */
  readonly base: Version | null;
  readonly mine: Typed;
  readonly isRemoved: boolean;
  /** The linked records that were chosen in the form, for their titles. */
  readonly links: Readonly<Record<string, Row | null>>;
  /** Why the line was refused. */
  readonly problem: string | null;
}

export type LineAction =
  | { readonly kind: "put"; readonly line: Line }
  /** Discards a new line; marks a stored one for deletion. */
  | { readonly kind: "removed"; readonly line: Line }
  | { readonly kind: "restored"; readonly key: string }
  | {
      readonly kind: "refused";
      /** Messages by line key. */
      readonly problems: Readonly<Record<string, string>>;
    }
  /** Another account has written the record since: the next save is based on this version. */
  | { readonly kind: "rebased"; readonly key: string; readonly base: Version }
  | { readonly kind: "saved"; readonly keys: readonly string[] }
  | { readonly kind: "discarded" };

/** Maximum number of lines saved with one record: a batch has at most 100 operations. */
export const mostLines = 99;

export function linesReducer(lines: readonly Line[], action: LineAction): readonly Line[] {
  switch (action.kind) {
    case "put": {
      const { line } = action;
      const at = lines.findIndex(({ key }) => key === line.key);
      if (!isChanged(line)) return without(lines, line.key);
      return at < 0 ? [...lines, line].slice(0, mostLines) : lines.with(at, line);
    }
    case "removed": {
      const { line } = action;
      const others = without(lines, line.key);
      return line.base === null ? others : [...others, { ...line, isRemoved: true, problem: null }];
    }
    case "restored":
      return without(lines, action.key);
    case "refused":
      return lines.map((line) => ({ ...line, problem: action.problems[line.key] ?? null }));
    case "rebased":
      return lines.map((line) => (line.key === action.key ? { ...line, base: action.base } : line));
    case "saved":
      return lines.filter(({ key }) => !action.keys.includes(key));
    case "discarded":
      return [];
    default:
      return action satisfies never;
  }
}

function without(lines: readonly Line[], key: string): readonly Line[] {
  return lines.filter((line) => line.key !== key);
}

/** Whether there is anything to write. */
export function isChanged({ base, fields, mine, isRemoved }: Line): boolean {
  if (base === null || isRemoved) return true;
  return changedFields(fields, typedOf(fields, base.record), mine).length > 0;
}

/**
 * Returns a batch operation; `parent` is the id of the form's record, or a reference to the operation that creates it.
 */
export function operationOf(
  { child, link, fields, base, mine, isRemoved }: Line,
  parent: string | { readonly ref: number },
): object {
  if (base === null) {
    return { create: child.name, values: { ...newBodyOf(fields, mine), [link.name]: parent } };
  }
  const { record, etag } = base;
  if (isRemoved) return { delete: child.name, id: record.id, ifMatch: etag };
  const changed = changedFields(fields, typedOf(fields, record), mine);
  return { update: child.name, id: record.id, values: bodyOf(changed, mine), ifMatch: etag };
}

/** The previous values of an edited line, by field. */
export function formerOf({ fields, base, mine }: Line): Readonly<Record<string, unknown>> {
  if (base === null) return {};
  const changed = changedFields(fields, typedOf(fields, base.record), mine);
  return Object.fromEntries(changed.map(({ name }) => [name, base.record[name] ?? null]));
}
