import { applyChange, linkedInUse, tableOf } from "../../../runtime/values/schema/change.js";
import type { Change, ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import { createIndex, createTable } from "../../../runtime/values/schema/definitions.js";
import { searchParts, tallyName } from "../../../runtime/values/schema/object-names.js";
import { type Schema, tableIn } from "../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../runtime/values/sql/text.js";
import { isUnconvertible } from "../changes/convert.js";
import { newOrigins } from "../changes/origins.js";
import { adoptedSteps } from "./adopted.js";
import {
  addColumn,
  createIndexLive,
  dropIndexLive,
  setCheck,
  setDefault,
  setLink,
  setRequired,
} from "./alter.js";
import { checksOf } from "./checks/checks.js";
import { lossChecks } from "./checks/loss.js";
import { schemaSteps } from "./checks/schema.js";
import { dropAndAddColumn, dropColumn, dropTable } from "./drop-and-add.js";
import { newEntries, setEntries } from "./kept/entries.js";
import { renameLogged, setLog } from "./kept/log.js";
import { movePairs } from "./kept/pairs.js";
import { laterSearchParts, setSearch } from "./kept/search.js";
import { setTrash, trashPart, trashSteps } from "./kept/trash.js";
import { setWords, withoutWords } from "./kept/words.js";
import { type LockCount, newLockCount } from "./lock-count.js";
import { type PhasedStep, phasedSteps } from "./phase.js";
import { type Rename, renameStatements, renameUploads } from "./rename.js";
import { renameValue } from "./rename-value.js";
import { replaceColumn } from "./replace.js";
import { arrangeSteps, type Step, transaction } from "./step.js";
import { addLink, call, countsLiteral, textArray } from "./table.js";

/**
 * Returns the steps that apply the changes to a database with this schema. The user consented only to losses of the
 * forward migration, so the reverse one counts values written since then.
 */
export function migrationSteps(
  before: Schema,
  changes: readonly Change[],
  direction: "up" | "down" = "up",
): readonly Step[] {
  const origins = newOrigins(before);
  const isCreated = (table: string) => origins.table(table) === null;
  const inUse = new Set<string>();
  const steps: Step[] = [];
  let schema = before;
  let joinedChanges = noChanges;
  const locks = newLockCount();
  for (const change of changes) {
    steps.push(...withoutWords(schema, change));
    const ofAdopted = adoptedSteps(schema, change);
    if (ofAdopted !== null) steps.push(...ofAdopted);
    else if (change.kind === "setWords") {
      // Words are indexed from the final columns.
      steps.push(...phasedSteps(joinedChanges.table, joinedChanges.parts));
      joinedChanges = noChanges;
      steps.push(...setWords(schema, change, { isCreated: isCreated(change.table) }));
    } else if (change.kind === "createTable" || isCreated(tableOf(change))) {
      const linked = linkedInUse(change, before, isCreated);
      if (linked !== null) inUse.add(linked);
      steps.push(newTableStep(schema, change, { apart: inUse.size > 1 ? linked : null, locks }));
      if (change.kind === "setSearch") steps.push(...laterSearchParts(change));
    } else {
      steps.push(...checksOf(schema, change, origins));
      if (direction === "up") steps.push(...schemaSteps(schema, change, origins));
      if (direction === "down") steps.push(...lossChecks(schema, change, origins));
      const parts = partsOf(schema, change);
      if (parts === null || !canJoin(joinedChanges, change)) {
        steps.push(...phasedSteps(joinedChanges.table, joinedChanges.parts));
        joinedChanges = { ...noChanges, table: tableOf(change) };
      }
      if (parts === null) {
        if (change.kind === "dropColumn") steps.push(dropColumn(schema, change, changes));
        else steps.push(...wholeSteps(schema, change));
        steps.push(...trashSteps(schema, change));
      } else joinedChanges = joinChanges(joinedChanges, change, parts);
    }
    schema = applyChange(schema, change);
    origins.follow(change);
  }
  steps.push(...phasedSteps(joinedChanges.table, joinedChanges.parts));
  return arrangeSteps(steps);
}

/** Adjacent changes of a table whose phases are merged. */
interface JoinedChanges {
  readonly table: string;
  readonly parts: readonly PhasedStep[];
  /** Columns whose indexes are built next to those that they replace. */
  readonly rebuilt: readonly string[];
  readonly replaced: readonly string[];
}

const noChanges: JoinedChanges = { table: "", parts: [], rebuilt: [], replaced: [] };

/** Whether the change can be merged with the others: an index is rebuilt for only one column at a time. */
function canJoin({ table, rebuilt, replaced }: JoinedChanges, change: Change): boolean {
  if (tableOf(change) !== table) return false;
  if (change.kind !== "replaceColumn") return true;
  const columns = indexedColumns(change);
  return !rebuilt.includes(change.column.name) && !replaced.some((name) => columns.includes(name));
}

function indexedColumns({ indexes }: ChangeOf<"replaceColumn">): readonly string[] {
  return indexes.flatMap(({ keys }) => keys.map(({ column }) => column));
}

function joinChanges(
  { table, parts, rebuilt, replaced }: JoinedChanges,
  change: Change,
  more: readonly PhasedStep[],
): JoinedChanges {
  const joined = { table, parts: [...parts, ...more] };
  if (change.kind !== "replaceColumn") return { ...joined, rebuilt, replaced };
  return {
    ...joined,
    rebuilt: [...rebuilt, ...indexedColumns(change)],
    replaced: [...replaced, change.column.name],
  };
}

/**
 * Creates a new table, which is not in use, in one transaction. It locks at most one table in use; links to others
 * follow in separate transactions.
 */
function newTableStep(
  schema: Schema,
  change: Change,
  { apart, locks }: { readonly apart: string | null; readonly locks: LockCount },
): Step {
  const many = `new tables ${locks.batchOf(change)}`;
  const group = apart === null ? many : `${many}, ${apart}`;
  return { kind: "transaction", group, statements: [newTableStatement(schema, change)] };
}

function newTableStatement(schema: Schema, change: Change): string {
  switch (change.kind) {
    case "createTable":
      return createTable(change.table);
    case "setLink":
      if (change.to === null) throw new Error("a new table has no link to remove");
      return addLink(change.table, change.column, change.to);
    case "setEntries":
      return newEntries(change);
    case "createIndex":
      return createIndex(change.table, change.index);
    case "setTally": {
      const names = [change.table, tallyName(change.table)].map(sqlLiteral);
      return call("create_tally", ...names, countsLiteral(change.to ?? []));
    }
    case "setSearch": {
      const [{ name, columns }] = searchParts(change.table, change.to);
      const names = [change.table, name].map(sqlLiteral);
      return call("create_search_index", ...names, textArray(columns));
    }
    case "setLog":
      return setLog(tableIn(schema, change.table), change);
    case "setTrash":
      return setTrash(tableIn(schema, change.table), change);
    default:
      throw new Error(`a new table is not changed by ${change.kind}`);
  }
}

/** Returns the parts that are merged with the table's other changes, by phase; null for a change without phases. */
function partsOf(schema: Schema, change: Change): readonly PhasedStep[] | null {
  switch (change.kind) {
    case "addColumn":
      return addColumn(change.table, change.column);
    case "replaceColumn":
      return isUnconvertible(change.from, change.column)
        ? null
        : [...replaceColumn(tableIn(schema, change.table), change), ...trashPart(schema, change)];
    case "setKind":
    case "setSchema":
      return [];
    case "setDefault":
      return setDefault(change);
    case "setRequired":
      return setRequired(tableIn(schema, change.table), change);
    case "setCheck":
      return setCheck(tableIn(schema, change.table), change);
    case "setLink":
      return setLink(tableIn(schema, change.table), change);
    case "createIndex":
      return createIndexLive(tableIn(schema, change.table), change.index);
    default:
      return null;
  }
}

function wholeSteps(schema: Schema, change: Change): readonly Step[] {
  switch (change.kind) {
    case "renameTable":
      return renameSteps(change.to.name, schema, change);
    case "renameColumn":
      return renameSteps(change.table, schema, change);
    case "renameValue":
      return renameValue(tableIn(schema, change.table), change);
    case "replaceColumn":
      return dropAndAddColumn(tableIn(schema, change.table), change);
    case "dropIndex": {
      const statement = dropIndexLive(tableIn(schema, change.table), change.index);
      return statement === null ? [] : [{ kind: "alone", statement }];
    }
    case "dropTable":
      return [dropTable(schema, change)];
    case "setEntries":
      return setEntries(tableIn(schema, change.table), change);
    case "movePairs":
      return movePairs(change);
    case "setTally": {
      const { table, to } = change;
      const names = [table, tallyName(table)].map(sqlLiteral);
      const statement = call("change_tally", ...names, countsLiteral(to ?? []));
      return [{ kind: "tally", table, statement }];
    }
    case "setSearch":
      return setSearch(tableIn(schema, change.table), change);
    case "setTrash":
      return [transaction(change.table, [setTrash(tableIn(schema, change.table), change)])];
    case "setLog":
      return [transaction(change.table, [setLog(tableIn(schema, change.table), change)])];
    default:
      return [];
  }
}

function renameSteps(table: string, schema: Schema, change: Rename): readonly Step[] {
  const uploads = renameUploads(schema, change);
  const logged = renameLogged(schema, change);
  return [
    transaction(table, renameStatements(schema, change)),
    ...(uploads === null ? [] : [transaction(`${table}, uploads`, [uploads])]),
    ...(logged === null ? [] : [transaction(`${table}, changes`, [logged])]),
  ];
}
