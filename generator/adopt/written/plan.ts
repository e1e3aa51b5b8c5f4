import type { Problem } from "../../../runtime/values/problem.js";
import { applyChange, tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { parseHistory } from "../../../runtime/values/schema/history/history.js";
import { replay } from "../../../runtime/values/schema/history/replay.js";
import type { AdoptedColumn } from "../../../runtime/values/schema/schema.js";
import { spelledTable } from "../../../runtime/values/sql/table-name.js";
import { type DescriptorFile, findDescriptors } from "../../descriptor/find.js";
import { readDescriptors } from "../../descriptor/read.js";
import { withSchemas } from "../../descriptor/schemas.js";
import type { EmittedFile } from "../../emit/file.js";
import { emitMigration, emitSnapshot } from "../../emit/migration.js";
import { renamedBy } from "../../migration/followed-renames.js";
import { sinceLastRun } from "../../migration/was-entries.js";
import { readCurrent } from "../../output/current.js";
import { resolveModel } from "../../resolve/resolve.js";
import { diffSchemas } from "../../schema/changes/diff.js";
import { lineageOf } from "../../schema/changes/lineage.js";
import { migrationName } from "../../schema/changes/migration-name.js";
import { renamesOf } from "../../schema/changes/renames/renames.js";
import { transaction } from "../../schema/sql/step.js";
import { migrationSteps } from "../../schema/sql/steps.js";
import { wayBack } from "../../schema/sql/way-back.js";
import { buildSchema } from "../../schema/tables/build.js";
import type { FoundTable, FoundType } from "../catalogue/catalogue.js";
import type { Creation } from "../catalogue/creation.js";
import type { Existing } from "../existing.js";
import type { Adoption, TableUpdate } from "../model/adoption.js";
import { accountSteps } from "./account-steps.js";
import { withFieldLines } from "./add-fields.js";
import { adoptStep } from "./adopt-step.js";
import { descriptorText, fieldLines } from "./descriptor.js";
import { hasPart } from "./has-part.js";

export interface AdoptionPlan {
  /** Why nothing can be written. */
  readonly problems: readonly Problem[];
  /** Whether the app's descriptors have changes for which `generate` has not run. */
  readonly isBehind: boolean;
  readonly writes: readonly EmittedFile[];
}

interface PlanRequest {
  readonly root: string;
  readonly adoption: Adoption;
  readonly creation: readonly Creation[];
  /** Statements that add the new columns in a database that lacks them. */
  readonly additions: readonly string[];
  readonly existing: Existing;
  /** Names of the app's image profiles; null if they are unknown. */
  readonly profiles: readonly string[] | null;
}

/** Returns the descriptors of the adopted tables and the migration that adopts them; writes no files. */
export function planAdoption({
  root,
  adoption,
  creation,
  additions,
  existing,
  profiles,
}: PlanRequest): AdoptionPlan {
  const found = findDescriptors(root);
  const updated = updatedFiles(found, adoption.updates);
  if (updated.problems.length > 0) return refused(updated.problems);
  const drafts = [
    ...adoption.tables.map((adopted) => ({
      path: `resources/${adopted.resource}.yaml`,
      text: descriptorText(adopted),
    })),
    ...updated.files,
  ];
  const others = found.filter(({ path }) => drafts.every((draft) => draft.path !== path));
  const read = withSchemas(readDescriptors([...others, ...drafts]), root);
  const current = readCurrent(root);
  const history = parseHistory(current);
  const { schema: before, problems: historyProblems } = replay(history);
  if (historyProblems.length > 0) return refused(historyProblems);
  const lineage = sinceLastRun(lineageOf(history.records), history.records, current);
  const { model, problems } = resolveModel(read, profiles, renamedBy(lineage));
  if (model === null) return refused(problems);
  const renames = renamesOf(model, before, lineage);
  const all = diffSchemas(before, buildSchema(model), renames);
  const changes = adoptionChanges(all, adoption);
  if (changes === null) return { problems: [], isBehind: true, writes: [] };
  const isAdopting = adoption.tables.length + adoption.joins.length > 0;
  if (changes.length === 0 && !isAdopting) return refused([]);
  const migration = emitMigration({
    name: migrationName(history.names, changes, summaryOf(adoption, changes)),
    writer: "adopt",
    changes,
    steps: [
      ...(isAdopting ? [adoptStep(adoption, creation, existing)] : []),
      ...(additions.length === 0 ? [] : [transaction("new columns", additions)]),
      ...accountSteps(adoption),
      ...migrationSteps(before, changes),
    ],
    breaking: [],
    wayBack: wayBack(before, { changes, renames }),
  });
  const snapshot = emitSnapshot(changes.reduce(applyChange, before));
  return { problems: [], isBehind: false, writes: [...drafts, ...migration, snapshot] };
}

function refused(problems: readonly Problem[]): AdoptionPlan {
  return { problems, isBehind: false, writes: [] };
}

/**
 * Returns the changes, which mark the tables as adopted; null if other tables change too, or a table lacks something
 * that its descriptor declares.
 */
function adoptionChanges(
  changes: readonly Change[],
  { tables, known }: Adoption,
): readonly Change[] | null {
  const adopted = [...tables.map(({ table }) => table), ...known];
  const found = new Map(adopted.map((table) => [spelledTable(table), table]));
  const unversioned = new Set(
    tables.flatMap(({ table }) => (hasVersions(table) ? [] : [spelledTable(table)])),
  );
  const areThere = changes.every((change) => {
    const table = found.get(tableOf(change));
    return table !== undefined && hasPart(table, change);
  });
  if (!areThere) return null;
  return changes.map((change) => {
    const table = found.get(tableOf(change));
    const columns = table === undefined ? [] : adoptedColumns(table);
    if (change.kind === "createTable") {
      const marked = unversioned.has(tableOf(change)) ? { unversioned: true as const } : {};
      return { ...change, table: { ...change.table, adopted: columns, ...marked } };
    }
    if (change.kind !== "addColumn") return change;
    const added = columns.find(({ name }) => name === change.column.name);
    return added === undefined ? change : { ...change, adopted: added };
  });
}

/** Whether rows have a version, which writing statements return. */
function hasVersions({ kind }: FoundTable): boolean {
  return kind !== "view" && kind !== "partitioned";
}

function adoptedColumns({ columns, constraints }: FoundTable): readonly AdoptedColumn[] {
  const unsure = constraints.flatMap(({ kind, columns: keys, definition }) =>
    kind === "foreign" && definition.endsWith("NOT VALID") ? keys : [],
  );
  return columns.map(({ name, number, type, isNullable }) => ({
    name,
    type: type.isArray ? `${type.base}[]` : type.base,
    ...(!isNullable && { required: true }),
    ...(unsure.includes(number) && { dangling: true }),
    ...(needsCast(type) && { cast: type.isArray ? `${type.qualified}[]` : type.qualified }),
  }));
}

/** Whether PostgreSQL would infer a different type for a value than that of its column. */
function needsCast({ qualified, domain, values }: FoundType): boolean {
  return domain !== null || values !== null || /(?:char|citext|uuid)"?$/.test(qualified);
}

/** Returns the descriptors with the fields of new columns added. */
function updatedFiles(
  found: readonly DescriptorFile[],
  updates: readonly TableUpdate[],
): { readonly files: readonly EmittedFile[]; readonly problems: readonly Problem[] } {
  const files: EmittedFile[] = [];
  const problems: Problem[] = [];
  for (const update of updates) {
    const { path } = update;
    const former = found.find((file) => file.path === path)?.text ?? "";
    const text = withFieldLines(former, fieldLines(update));
    if (text !== null) files.push({ path, text });
    else {
      const message = `the fields of ${update.table.name} are not written one per line`;
      const hint = "write each field on a separate line below fields:";
      problems.push({ file: path, line: 1, column: 1, message, hint });
    }
  }
  return { files, problems };
}

/** Returns a name such as `adopt_artist_and_10_more`. */
function summaryOf({ tables, updates }: Adoption, changes: readonly Change[]): string {
  const resources = [...tables, ...updates].map(({ resource }) => resource);
  const changed = [...new Set(changes.map(tableOf))];
  const [first = "nothing", ...others] = resources.length > 0 ? resources : changed;
  const more = others.length === 0 ? "" : `_and_${others.length}_more`;
  const name = first
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, maxName);
  return `adopt_${name}${more}`;
}

/** Maximum length of the first resource's name in the migration's name. */
const maxName = 40;
