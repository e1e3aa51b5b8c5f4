import type { Problem } from "../runtime/values/problem.js";
import { applyChange } from "../runtime/values/schema/change.js";
import { parseHistory } from "../runtime/values/schema/history/history.js";
import { replay } from "../runtime/values/schema/history/replay.js";
import { emitClient } from "./client/client.js";
import { emitLive } from "./client/live.js";
import { emitOpenapi } from "./describe/document.js";
import { readTitle } from "./describe/title.js";
import type { Descriptor } from "./descriptor/descriptor.js";
import { type DescriptorFile, findDescriptors } from "./descriptor/find.js";
import { readDescriptors } from "./descriptor/read.js";
import { withSchemas } from "./descriptor/schemas.js";
import { emitAccounts } from "./emit/accounts.js";
import { emitApp } from "./emit/app.js";
import { emitDescriptors } from "./emit/descriptors.js";
import type { EmittedFile } from "./emit/file.js";
import { emitMigrations } from "./emit/migrations.js";
import { emitPublic, newlyPublic, publicFile, publicUniques } from "./emit/public.js";
import { emitQueries } from "./emit/queries.js";
import { emitRoutes } from "./emit/routes.js";
import { emitTable } from "./emit/table/table.js";
import { emitTables } from "./emit/tables.js";
import { emitTypes } from "./emit/types/types.js";
import { emitValidation } from "./emit/validation.js";
import { adoptedProblems } from "./migration/adopted-columns.js";
import { changedTimes } from "./migration/changed-times.js";
import { type Consent, checkConsent } from "./migration/consent.js";
import { keptNameProblems, renamedBy, renamedRemarks } from "./migration/followed-renames.js";
import { type Around, movedPairs } from "./migration/moved-pairs.js";
import { nextMigration, snapshotRemarks } from "./migration/next.js";
import { checkRenamedValues } from "./migration/renamed-values.js";
import { joinedLists } from "./migration/unsupported/joined-lists.js";
import { otherSchemas } from "./migration/unsupported/other-schemas.js";
import { changedIds, unusualIds } from "./migration/unsupported/unusual-ids.js";
import { withoutTriggers } from "./migration/unsupported/without-triggers.js";
import { sinceLastRun, wasEntries } from "./migration/was-entries.js";
import { withAdopted } from "./migration/with-adopted.js";
import type { Model } from "./model/model.js";
import { type ClientCopy, copyClient } from "./output/copy.js";
import { readCurrent } from "./output/current.js";
import { type Plan, planOutput } from "./output/plan.js";
import { computedRemarks } from "./resolve/computed.js";
import { resolveModel } from "./resolve/resolve.js";
import { diffSchemas } from "./schema/changes/diff.js";
import { lineageOf } from "./schema/changes/lineage.js";
import { renamesOf } from "./schema/changes/renames/renames.js";
import { buildSchema } from "./schema/tables/build.js";
import { cascadeRemarks } from "./schema/tables/cascades.js";

export interface GenerateOptions {
  readonly root: string;
  /** The words of the migration's name; null for a summary of the changes. */
  readonly name: string | null;
  /** Data that may be lost: resources, or fields such as `products.price`. */
  readonly consent?: Consent;
  /** Names of the app's image profiles; null if they are unknown. */
  readonly profiles?: readonly string[] | null;
  /** Absolute path of a folder that receives a copy of the client and its related files. */
  readonly client?: string | null;
  /** Descriptors that are not written yet, validated together with those of the folder. */
  readonly drafts?: readonly DescriptorFile[];
}

/** Either a plan, or problems, in which case nothing may be written. */
export interface Generated {
  readonly problems: readonly Problem[];
  readonly plan: Plan;
  /** Data loss that the user must consent to first, if there are no other problems. */
  readonly unagreed: Consent;
  /** The new migration's name; null if the schema is unchanged. */
  readonly migration: string | null;
  /** The migration's statements that break servers of the previous release. */
  readonly breaking: readonly string[];
  /** The operations that are newly open to callers without a token. */
  readonly published: readonly string[];
  /** Remarks for the user that are not problems. */
  readonly remarks: readonly string[];
  /** Whether another run after this plan is written would neither write nor report anything. */
  readonly settles: boolean;
}

/** Reads the descriptors and plans the output of `generate`; writes no files. */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const { root, name, consent = [], profiles = [], client = null, drafts = [] } = options;
  const read = withSchemas(readDescriptors([...findDescriptors(root), ...drafts]), root);
  const current = readCurrent(root);
  const history = parseHistory(current);
  const { schema: before, problems: historyProblems } = replay(history);
  const lineage =
    historyProblems.length > 0
      ? null
      : sinceLastRun(lineageOf(history.records), history.records, current);
  const isRenamed = lineage === null ? () => true : renamedBy(lineage);
  const { model, problems } = resolveModel(read, profiles, isRenamed);
  const refused = [...problems, ...historyProblems];
  if (model === null || lineage === null || refused.length > 0)
    return { ...nothing, problems: refused };
  const renames = renamesOf(model, before, lineage);
  const values = checkRenamedValues(read.descriptors, { model, before, renames });
  const moved = movedPairs(read.descriptors, { model, before, renames });
  const kept = keptColumns(read.descriptors, { model, before, renames });
  const unfollowed = [...kept, ...values.problems, ...moved.problems];
  if (unfollowed.length > 0) return { ...nothing, problems: unfollowed };
  const changes = diffSchemas(before, buildSchema(model), { ...renames, pairs: moved.pairs });
  const after = changes.reduce(applyChange, before);
  const check = checkConsent({ before, after, changes, consent, descriptors: read.descriptors });
  const next = nextMigration({ history, before, changes, renames, words: name });
  const lacking = adoptedProblems(read.descriptors, { model, before, after, changes });
  const conflicts = [...next.problems, ...lacking, ...check.problems];
  if (conflicts.length > 0) {
    const unagreed = next.problems.length + lacking.length === 0 ? check.unagreed : [];
    return { ...nothing, problems: conflicts, unagreed, remarks: check.remarks };
  }
  const { name: migration, breaking } = next;
  const written = migration === null ? [] : [{ name: migration, changes }];
  const notes = wasEntries(model, [...history.records, ...written]);
  const migrations = [...history.names, ...written.map((one) => one.name)];
  const frontEnd = emitFrontEnd(model);
  const known = withAdopted(model, after);
  const emitted = [...emitServer(known, readTitle(root), migrations), ...frontEnd];
  const copy = copyOf(root, client, frontEnd);
  if (copy.problems.length > 0) return { ...nothing, problems: copy.problems };
  const own = planOutput({ generated: emitted, migrations: next.files }, current, notes);
  const plan = withCopy(own, copy);
  await finish(plan);
  const remarks = [
    ...check.remarks,
    ...renamedRemarks(read.descriptors, lineage),
    ...values.remarks,
    ...cascadeRemarks(before, after),
    ...snapshotRemarks(before, current),
  ];
  // After a rename, the result of the next run depends on this one, and its remarks may differ.
  const settles = remarks.length === 0 && notes.size === 0;
  const published = newlyPublic(model, current.get(publicFile));
  return {
    problems: [],
    plan,
    unagreed: [],
    migration,
    breaking,
    published,
    remarks: [...remarks, ...publicUniques(model).map(uniqueRemark), ...computedRemarks(model)],
    settles,
  };
}

/** Returns problems with the columns that every table has, and with names that cannot be resolved. */
function keptColumns(
  descriptors: readonly Descriptor[],
  { model, before, renames }: Around,
): readonly Problem[] {
  return [
    ...keptNameProblems(descriptors, before, renames),
    ...changedTimes(descriptors, before, renames),
    ...unusualIds(descriptors, model),
    ...otherSchemas(descriptors, model, before),
    ...withoutTriggers(descriptors, model, before),
    ...joinedLists(descriptors, model),
    ...changedIds(descriptors, before, renames),
  ];
}

function withCopy(plan: Plan, { writes, removals }: ClientCopy): Plan {
  return {
    ...plan,
    writes: [...plan.writes, ...writes],
    removals: [...plan.removals, ...removals],
  };
}

const nothing: Generated = {
  problems: [],
  plan: { writes: [], removals: [], edited: [] },
  unagreed: [],
  migration: null,
  breaking: [],
  published: [],
  remarks: [],
  settles: false,
};

function uniqueRemark(field: string): string {
  return `${field} is unique, and callers without a token may set it: a refusal reveals which values exist`;
}

function copyOf(root: string, folder: string | null, emitted: readonly EmittedFile[]): ClientCopy {
  if (folder === null) return { writes: [], removals: [], problems: [] };
  return copyClient(root, folder, emitted);
}

/**
 * Emits everything below `generated/`; `title` is the app's package name, `migrations` are the names of its migrations.
 */
export function emitModel(
  model: Model,
  title: string,
  migrations: readonly string[] = [],
): readonly EmittedFile[] {
  return [...emitServer(model, title, migrations), ...emitFrontEnd(model)];
}

/** Emits the client and its related files. */
function emitFrontEnd(model: Model): readonly EmittedFile[] {
  return [...emitClient(model), ...emitLive(model)];
}

function emitServer(
  model: Model,
  title: string,
  migrations: readonly string[],
): readonly EmittedFile[] {
  const emitters = [emitTypes, emitValidation, emitQueries, emitTable, emitRoutes];
  return [
    emitApp(model),
    ...emitAccounts(model),
    emitDescriptors(model),
    emitTables(model),
    emitMigrations(migrations),
    emitOpenapi(model, title),
    ...emitPublic(model),
    ...model.resources.flatMap((resource) => emitters.map((emit) => emit(resource, model))),
  ];
}

/**
 * Checks that changed files parse. Unchanged ones are skipped, as starting the parser alone takes longer than
 * everything else.
 */
async function finish({ writes }: Plan): Promise<void> {
  const emitted = writes.filter(({ path }) => path.endsWith(".ts"));
  if (emitted.length === 0) return;
  const { assertParse } = await import("./text/finish.js");
  await assertParse(emitted);
}
