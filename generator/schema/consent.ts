import type { Descriptor } from "../descriptor/descriptor.js";
import { type Path, problemOf } from "../descriptor/source.js";
import type { Problem } from "../problem.js";
import { type Change, tableOf } from "./change.js";
import { type Hazard, hazardsOf } from "./hazards.js";
import { type Column, columnIn, type Schema, tableIn } from "./schema.js";

/** What the user agreed to: a resource as a whole, or one field of it. */
export type Consent = readonly string[];

export interface Consented {
  /** One for each hazard that nobody agreed to. */
  readonly problems: readonly Problem[];
  /** What was agreed to without need. */
  readonly unneeded: readonly string[];
}

interface Asked {
  readonly before: Schema;
  readonly changes: readonly Change[];
  readonly consent: Consent;
  readonly descriptors: readonly Descriptor[];
}

/** Asks for consent by problems, never by a prompt. */
export function consented({ before, changes, consent, descriptors }: Asked): Consented {
  const hazards = hazardsOf(before, changes);
  const open = hazards.filter((hazard) => !consent.some((target) => covers(target, hazard)));
  const alike = lookAlikes(before, changes);
  return {
    problems: open.map((hazard) => refusal(hazard, alike, descriptors)),
    unneeded: consent.filter((target) => !hazards.some((hazard) => covers(target, hazard))),
  };
}

function covers(target: string, hazard: Hazard): boolean {
  const [resource, field] = target.split(".");
  if (resource !== hazard.resource && resource !== hazard.formerResource) return false;
  return field === undefined || field === hazard.field || field === hazard.formerField;
}

/** New fields and resources that might be others under a new name: by what is gone. */
type LookAlikes = ReadonlyMap<string, readonly string[]>;

function refusal(hazard: Hazard, alike: LookAlikes, descriptors: readonly Descriptor[]): Problem {
  const { resource, field, what, isDrop } = hazard;
  const target = field === null ? resource : `${resource}.${field}`;
  const flag = `service generate --allow-destructive ${target}`;
  const [twin] = isDrop ? (alike.get(target) ?? []) : [];
  if (twin === undefined) {
    const message = `${resource}: ${what}`;
    return placed(descriptors, resource, field, message, `if that is meant, run: ${flag}`);
  }
  const line = `was: ${field ?? resource}`;
  const where = field === null ? `resources/${twin}.yaml` : `"${twin}"`;
  const message = `"${field ?? resource}" is gone and "${twin}" is new: renamed, or two things?`;
  const hint = `if renamed, add to ${where}: ${line}; if they are two things, run: ${flag}`;
  return field === null
    ? placed(descriptors, twin, null, message, hint)
    : placed(descriptors, resource, twin, message, hint);
}

function placed(
  descriptors: readonly Descriptor[],
  resource: string,
  field: string | null,
  message: string,
  hint: string,
): Problem {
  const descriptor = descriptors.find(({ name }) => name === resource);
  if (descriptor === undefined) {
    return { file: `resources/${resource}.yaml`, line: 1, column: 1, message, hint };
  }
  const path: Path = field === null ? [] : ["fields", field];
  return problemOf(descriptor.source, { path, at: "key", message, hint });
}

/** Fields of one kind in one resource; any two resources. */
function lookAlikes(before: Schema, changes: readonly Change[]): LookAlikes {
  const found = new Map<string, readonly string[]>();
  const formerName = new Map(
    changes.flatMap((change) =>
      change.kind === "renameTable" ? [[change.to.name, change.table] as const] : [],
    ),
  );
  const created = changes.flatMap((change) =>
    change.kind === "createTable" ? [change.table.resource] : [],
  );
  for (const change of changes) {
    const name = tableOf(change);
    if (change.kind === "dropTable") found.set(tableIn(before, name).resource, created);
    if (change.kind !== "dropColumn") continue;
    const column = columnIn(tableIn(before, formerName.get(name) ?? name), change.column);
    found.set(`${resourceOf(name)}.${column.field}`, twinsOf(name, column));
  }
  return found;

  function twinsOf(table: string, { kind }: Column): readonly string[] {
    return changes.flatMap((change) =>
      change.kind === "addColumn" && change.table === table && change.column.kind === kind
        ? [change.column.field ?? change.column.name]
        : [],
    );
  }

  function resourceOf(table: string): string {
    const renamed = changes.find(
      (change) => change.kind === "renameTable" && change.to.name === table,
    );
    return renamed?.kind === "renameTable" ? renamed.to.resource : tableIn(before, table).resource;
  }
}
