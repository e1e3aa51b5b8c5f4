import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import type { Change } from "../../runtime/values/schema/change-kinds.js";
import type { Schema } from "../../runtime/values/schema/schema.js";
import type { Path } from "../../runtime/values/yaml/position.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { problemOf } from "../descriptor/source.js";
import { type Hazard, hazardsOf } from "../schema/changes/hazards.js";

/** The data losses that the user consented to: a whole resource, or one field of it. */
export type Consent = readonly string[];

export interface ConsentResult {
  /** A problem for each hazard without consent. */
  readonly problems: readonly Problem[];
  /** The targets that need consent, in the notation of `--allow-destructive`. */
  readonly unagreed: Consent;
  /** A remark for each target that needed no consent. */
  readonly remarks: readonly string[];
}

interface ConsentRequest {
  readonly before: Schema;
  readonly after: Schema;
  readonly changes: readonly Change[];
  readonly consent: Consent;
  readonly descriptors: readonly Descriptor[];
}

/** Compares the hazards with the user's consent; reports problems and never prompts. */
export function checkConsent({
  before,
  after,
  changes,
  consent,
  descriptors,
}: ConsentRequest): ConsentResult {
  const hazards = hazardsOf(before, changes);
  const open = hazards.filter((hazard) => !consent.some((target) => covers(target, hazard)));
  return {
    problems: open.map((hazard) => refusal(hazard, changes, descriptors)),
    unagreed: [...new Set(open.map(targetOf))],
    remarks: consent
      .filter((target) => !hazards.some((hazard) => covers(target, hazard)))
      .map((target) => `${flag(target)}: ${withoutHazard(target, [before, after])}`),
  };
}

/** Returns the reason why the target needed no consent; most likely it is misspelled. */
function withoutHazard(target: string, schemas: readonly Schema[]): string {
  const [resource = "", field] = target.split(".");
  const tables = schemas.flatMap((schema) => schema.tables);
  const found = tables.filter((table) => table.resource === resource);
  if (found.length === 0) {
    return missingMessage(
      `resource ${resource}`,
      resource,
      tables.map((table) => table.resource),
    );
  }
  const fields = found.flatMap(({ columns }) => columns.flatMap((column) => column.field ?? []));
  if (field !== undefined && !fields.includes(field)) {
    return missingMessage(`field ${field} in ${resource}`, field, fields);
  }
  return "not needed: no destructive change affects it";
}

function missingMessage(what: string, word: string, known: readonly string[]): string {
  const guess = didYouMean(word, [...new Set(known)]);
  return `there is no ${what}${guess === null ? "" : `; ${guess}`}`;
}

function flag(target: string): string {
  return `--allow-destructive ${target}`;
}

function targetOf({ resource, field }: Hazard): string {
  return field === null ? resource : `${resource}.${field}`;
}

function covers(target: string, hazard: Hazard): boolean {
  const [resource, field] = target.split(".");
  if (resource === undefined || !hazard.resources.includes(resource)) return false;
  return field === undefined || hazard.fields.includes(field);
}

function refusal(
  hazard: Hazard,
  changes: readonly Change[],
  descriptors: readonly Descriptor[],
): Problem {
  const { resource, field, what } = hazard;
  const agreed = flag(targetOf(hazard));
  const [twin] = lookAlikes(hazard, changes);
  if (twin === undefined) {
    const message = `${resource}: ${what}`;
    const hint = `if that is intended, run: npx service generate ${agreed}`;
    return problemAt(descriptors, { resource, field }, { message, hint });
  }
  const line = `was: ${field ?? resource}`;
  const where = field === null ? `resources/${twin}.yaml` : `"${twin}"`;
  const message = `"${field ?? resource}" is missing and "${twin}" is new: was it renamed?`;
  const hint = `if renamed, add to ${where}: ${line}; if they are different things, run: npx service generate ${agreed}`;
  const place = field === null ? { resource: twin, field } : { resource, field: twin };
  return problemAt(descriptors, place, { message, hint });
}

function problemAt(
  descriptors: readonly Descriptor[],
  { resource, field }: { readonly resource: string; readonly field: string | null },
  words: { readonly message: string; readonly hint: string },
): Problem {
  const descriptor = descriptors.find(({ name }) => name === resource);
  if (descriptor === undefined) {
    return { file: `resources/${resource}.yaml`, line: 1, column: 1, ...words };
  }
  const path: Path = field === null ? [] : ["fields", field];
  return problemOf(descriptor.source, { path, at: "key", ...words });
}

/** Returns new names that may be renames of a missing one, with those of the same type first. */
function lookAlikes({ isDrop, table, column }: Hazard, changes: readonly Change[]): string[] {
  if (!isDrop) return [];
  if (column === null) {
    return changes.flatMap((change) =>
      change.kind === "createTable" ? [change.table.resource] : [],
    );
  }
  return changes
    .flatMap((change) =>
      change.kind === "addColumn" && change.table === table ? [change.column] : [],
    )
    .filter(({ kind }) => kind === column.kind)
    .toSorted((a, b) => Number(b.type === column.type) - Number(a.type === column.type))
    .map(({ field, name }) => field ?? name);
}
