import { findDescriptors } from "./descriptor/find.js";
import { readDescriptors } from "./descriptor/read.js";
import { emitApp } from "./emit/app.js";
import { emitDescriptor } from "./emit/descriptor.js";
import type { EmittedFile } from "./emit/file.js";
import { emitMigration, emitSnapshot } from "./emit/migration.js";
import { emitQueries } from "./emit/queries.js";
import { emitRoutes } from "./emit/routes.js";
import { emitTypes } from "./emit/types.js";
import { emitValidation } from "./emit/validation.js";
import type { Model } from "./model/model.js";
import { resolveModel } from "./model/resolve.js";
import { readCurrent } from "./output/current.js";
import { type Plan, planOutput } from "./output/plan.js";
import type { Problem } from "./problem.js";
import { buildSchema } from "./schema/build.js";
import type { Change } from "./schema/change.js";
import { diffSchemas } from "./schema/diff.js";
import { replay } from "./schema/history.js";
import { nextName } from "./schema/migration-name.js";
import { type History, missingRecord, readHistory } from "./schema/migrations.js";

export interface GenerateOptions {
  /** The app's folder. */
  readonly root: string;
  /** The words of the migration's name instead of a summary. */
  readonly name: string | null;
}

/** Either problems, and nothing may be written, or a plan. */
export interface Generated {
  readonly problems: readonly Problem[];
  readonly plan: Plan;
  /** The new migration's name; null when the schema stays as it is. */
  readonly migration: string | null;
}

/** Reads the descriptors and works out what `generate` has to write; writes nothing itself. */
export async function generate({ root, name }: GenerateOptions): Promise<Generated> {
  const read = readDescriptors(findDescriptors(root));
  const { model, problems } = resolveModel(read);
  const current = readCurrent(root);
  const history = readHistory(current);
  const before = replay(history.records);
  // What cannot be replayed may follow from a record that cannot be read.
  const misfits = history.problems.length > 0 ? history.problems : before.problems;
  const refused = [...problems, ...misfits];
  if (model === null || refused.length > 0) return { ...nothing, problems: refused };
  const schema = buildSchema(model);
  const { changes, unsupported } = diffSchemas(before.schema, schema);
  const unfinished = unfinishedName(history, changes);
  const lost = unfinished === null ? history.unrecorded : [];
  const conflicts = [...lost.map(missingRecord), ...unsupported.map(unsupportedChange)];
  if (conflicts.length > 0) return { ...nothing, problems: conflicts };
  const next = unfinished ?? nextName(history.names, changes, name);
  const record = changes.length === 0 ? null : { name: next, changes };
  const migrations = [...(record === null ? [] : emitMigration(record)), emitSnapshot(schema)];
  const plan = planOutput(emitModel(model), migrations, current);
  await finish(plan);
  return { problems: [], plan, migration: record?.name ?? null };
}

const nothing: Generated = {
  problems: [],
  plan: { writes: [], removals: [], edited: [] },
  migration: null,
};

/** Everything below `generated/`. */
export function emitModel(model: Model): readonly EmittedFile[] {
  const emitters = [emitTypes, emitValidation, emitQueries, emitRoutes, emitDescriptor];
  return [
    emitApp(model),
    ...model.resources.flatMap((resource) => emitters.map((emit) => emit(resource))),
  ];
}

/** Of a migration of just these changes, whose SQL was written before something ended the run. */
function unfinishedName({ unrecorded }: History, changes: readonly Change[]): string | null {
  const [migration, ...others] = unrecorded;
  if (migration === undefined || others.length > 0) return null;
  const [sql] = emitMigration({ name: migration.name, changes });
  return sql?.text === migration.sql ? migration.name : null;
}

/** Only what changed is parsed: the parser's start alone costs more than all the rest. */
async function finish({ writes }: Plan): Promise<void> {
  const emitted = writes.filter(({ path }) => path.endsWith(".ts"));
  if (emitted.length === 0) return;
  const { assertParses } = await import("./text/finish.js");
  for (const { path, text } of emitted) assertParses(path, text);
}

function unsupportedChange(resource: string): Problem {
  return {
    file: `resources/${resource}.yaml`,
    line: 1,
    column: 1,
    message: `The table of "${resource}" exists already and would have to change`,
    hint: "changes of a table that a migration has created come with the next release; until then undo the change, or start anew: delete migrations/ and the database",
  };
}
