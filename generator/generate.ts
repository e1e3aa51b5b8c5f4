import { type Consent, consented } from "./consent.js";
import { findDescriptors } from "./descriptor/find.js";
import { readDescriptors } from "./descriptor/read.js";
import { emitApp } from "./emit/app.js";
import { emitDescriptor } from "./emit/descriptor.js";
import type { EmittedFile } from "./emit/file.js";
import { emitMigration, emitSnapshot, type Migration } from "./emit/migration.js";
import { emitQueries } from "./emit/queries.js";
import { emitRoutes } from "./emit/routes.js";
import { emitTypes } from "./emit/types.js";
import { emitValidation } from "./emit/validation.js";
import type { Model } from "./model/model.js";
import { resolveModel } from "./model/resolve.js";
import { type CurrentFiles, readCurrent } from "./output/current.js";
import { type Plan, planOutput } from "./output/plan.js";
import type { Problem } from "./problem.js";
import { isBreaking } from "./schema/breaking.js";
import { buildSchema } from "./schema/build.js";
import { applyChange, type Change } from "./schema/change.js";
import { diffSchemas } from "./schema/diff.js";
import { type History, missingRecord, readHistory } from "./schema/history.js";
import { migrationName } from "./schema/migration-name.js";
import { asRecorded } from "./schema/record.js";
import { type Renames, renamesOf } from "./schema/renames.js";
import { replay } from "./schema/replay.js";
import type { Schema } from "./schema/schema.js";
import { stepsOf } from "./schema/steps.js";
import { wayBack } from "./schema/way-back.js";

export interface GenerateOptions {
  /** The app's folder. */
  readonly root: string;
  /** The words of the migration's name instead of a summary. */
  readonly name: string | null;
  /** What may lose data: resources, or fields as `products.price`. */
  readonly consent?: Consent;
}

/** Either problems, and nothing may be written, or a plan. */
export interface Generated {
  readonly problems: readonly Problem[];
  readonly plan: Plan;
  /** The new migration's name; null when the schema stays as it is. */
  readonly migration: string | null;
  /** What the user should know, though nothing is wrong. */
  readonly remarks: readonly string[];
}

/** Reads the descriptors and works out what `generate` has to write; writes nothing itself. */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { root, name, consent = [] } = options;
  const read = readDescriptors(findDescriptors(root));
  const { model, problems } = resolveModel(read);
  const current = readCurrent(root);
  const history = readHistory(current);
  const { schema: before, problems: misfits } = replay(history.records);
  // What cannot be replayed may follow from a record that cannot be read.
  const refused = [...problems, ...(history.problems.length > 0 ? history.problems : misfits)];
  if (model === null || refused.length > 0) return { ...nothing, problems: refused };
  const renames = renamesOf(model, before);
  const changes = asRecorded(diffSchemas(before, buildSchema(model), renames));
  const asked = consented({ before, changes, consent, descriptors: read.descriptors });
  const unnamed = unnamedMigration(before, changes, renames);
  const unfinished = unfinishedName(history, unnamed);
  const lost = unfinished === null ? history.unrecorded : [];
  const conflicts = [...lost.map(missingRecord), ...asked.problems];
  if (conflicts.length > 0) return { ...nothing, problems: conflicts };
  const migration =
    changes.length === 0 ? null : (unfinished ?? migrationName(history.names, changes, name));
  const snapshot = emitSnapshot(before);
  const written =
    migration === null
      ? [snapshot]
      : [
          ...emitMigration({ ...unnamed, name: migration }),
          emitSnapshot(changes.reduce(applyChange, before)),
        ];
  const plan = planOutput(emitModel(model), written, current);
  await finish(plan);
  const remarks = [...asked.unneeded.map(unneeded), ...snapshotRemarks(snapshot, current)];
  return { problems: [], plan, migration, remarks };
}

const nothing: Generated = {
  problems: [],
  plan: { writes: [], removals: [], edited: [] },
  migration: null,
  remarks: [],
};

type Unnamed = Omit<Migration, "name">;

function unnamedMigration(before: Schema, changes: readonly Change[], renames: Renames): Unnamed {
  return {
    changes,
    steps: stepsOf(before, changes),
    breaking: isBreaking(before, changes),
    wayBack: wayBack(before, { changes, renames }),
  };
}

function unneeded(target: string): string {
  return `--allow-destructive ${target} was not needed: nothing destructive happens there`;
}

/** Somebody edited it, or a merge left it behind; it is made anew from the migrations' records. */
function snapshotRemarks({ path, text }: EmittedFile, current: CurrentFiles): string[] {
  const found = current.get(path);
  return found === undefined || found === text
    ? []
    : [`${path} was not what the migrations lead to, and is made anew`];
}

/** Everything below `generated/`. */
export function emitModel(model: Model): readonly EmittedFile[] {
  const emitters = [emitTypes, emitValidation, emitQueries, emitRoutes, emitDescriptor];
  return [
    emitApp(model),
    ...model.resources.flatMap((resource) => emitters.map((emit) => emit(resource))),
  ];
}

/** Of a migration of just these changes, whose SQL was written before something ended the run. */
function unfinishedName({ unrecorded }: History, unnamed: Unnamed): string | null {
  const [migration, ...others] = unrecorded;
  if (migration === undefined || others.length > 0) return null;
  const [sql] = emitMigration({ ...unnamed, name: migration.name });
  return sql?.text === migration.sql ? migration.name : null;
}

/** Only what changed is parsed: the parser's start alone costs more than all the rest. */
async function finish({ writes }: Plan): Promise<void> {
  const emitted = writes.filter(({ path }) => path.endsWith(".ts"));
  if (emitted.length === 0) return;
  const { assertParses } = await import("./text/finish.js");
  for (const { path, text } of emitted) assertParses(path, text);
}
