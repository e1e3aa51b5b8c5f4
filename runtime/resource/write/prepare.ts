import type { Actor } from "../../own-code/index.js";
import { type CascadedRecord, cascadesToHooks, prepareCascade } from "../hooks/cascade.js";
import { hasAppCode, runBefore, valuesAfter } from "../hooks/run.js";
import { checkLevel } from "../own-code/level.js";
import { checkWritePolicy, hasPolicy } from "../own-code/policy.js";
import { checkRead } from "../own-code/reads.js";
import { appRecord } from "../record/app-record.js";
import type { Place } from "../record/read.js";
import type { StoredRecord } from "../record/tag.js";
import { linkedByHook } from "../rights/writable.js";
import { type CheckedBody, isValid, refuseBody } from "../table/body.js";
import type { Values } from "../table/conflicts.js";
import { isAddition, withSums } from "./add.js";
import { isAnsweredByPolicy } from "./answered.js";
import { hasPrivateFiles, refuseHiddenFiles } from "./files/hidden.js";
import { lockedRecord, matchingRecord } from "./former.js";
import { touchedBy } from "./group/keep-founders.js";
import { type Fulfilled, fulfilledBy, isJudged } from "./judge.js";
import { writesLists } from "./lists/values.js";
import { type Change, type Create, type Delete, isTrashed, type Write } from "./operation.js";
import { conflictsOf } from "./refused/conflict.js";
import { preparePurge, purgeOfTrashed } from "./trash/purge.js";
import { prepareRestore } from "./trash/restore.js";

/** A write that passed all checks except those of its statement and constraints. */
export interface PreparedWrite {
  /** The write with the values to store. */
  readonly write: Write;
  /** The locked record before the write; null if it is new, or not needed. */
  readonly former: StoredRecord | null;
  /** Set for a change if the rule checks the written record. */
  readonly fulfilled?: Fulfilled;
  /** Records that the delete cascades to and that have hooks to run afterwards. */
  readonly cascaded?: readonly CascadedRecord[];
  /** For a restore: the mark shared by records that were deleted together. */
  readonly mark?: string;
  /** Whether the delete is of a record in the trash. */
  readonly isPurge?: true;
}

/** A write in progress. */
export interface Draft {
  /** The write as sent, with which each attempt begins. */
  readonly write: Write;
  /** The write after changes by app code; used to explain why a constraint or the commit refused it. */
  latest: Write;
}

export function draftOf(write: Write): Draft {
  return { write, latest: write };
}

/** Runs every check before a write's statement, in the order documented for `answerWrite`. */
export async function prepareWrite(
  actor: Actor,
  draft: Draft,
  place: Place,
): Promise<PreparedWrite> {
  const { write } = draft;
  draft.latest = write;
  checkLevel(actor, write);
  await checkRead(actor, place.reader, write);
  const prepared = await prepare(place, write);
  draft.latest = prepared.write;
  return prepared;
}

/** Checks the values (422) and applies the policy to the locked record (403), then runs the *before* hook. */
async function prepare(place: Place, write: Write): Promise<PreparedWrite> {
  switch (write.kind) {
    case "create":
      return prepareCreate(place, write);
    case "update":
    case "replace":
      return prepareChange(place, write);
    case "delete":
      return prepareDelete(place, write);
    case "restore":
      return { write, former: null, mark: await prepareRestore(place, write) };
  }
}

/**
 * Whether the write needs several statements: for app code, a check of the written record or of founders, an addition
 * to stored values, links in join tables, or the trash.
 */
export function needsTransaction(actor: Actor, write: Write): boolean {
  const { table, kind } = write;
  return (
    isOfTrash(write) ||
    hasAppCode(actor, table, actionOf(kind)) ||
    (kind === "delete" && cascadesToHooks(actor, table)) ||
    touchedBy(write).length > 0 ||
    isJudged(write) ||
    isAnsweredByPolicy(actor, write) ||
    isAddition(write) ||
    writesLists(write) ||
    foundsGroup(actor, write)
  );
}

/** Whether the record is a group whose creator becomes its first member. */
function foundsGroup({ caller }: Actor, { table, kind }: Write): boolean {
  return kind === "create" && caller !== null && table.owner?.team?.founder !== undefined;
}

/** Whether the write restores a record, or may delete one permanently. */
function isOfTrash(write: Write): boolean {
  return write.kind === "restore" || (write.kind === "delete" && write.trashed !== undefined);
}

function actionOf(kind: Write["kind"]): "create" | "update" | "delete" {
  if (kind === "restore") return "delete";
  return kind === "replace" ? "update" : kind;
}

async function prepareCreate(place: Place, write: Create): Promise<PreparedWrite> {
  const { actor } = place;
  const { table, view, id, checked } = write;
  const sent = await validValues(place, write);
  await checkWritePolicy(actor, table, { action: "create", id, values: sent });
  if (hasPrivateFiles(table)) await refuseHiddenFiles(place, write, sent);
  const call = { hook: "beforeCreate", table, id } as const;
  const values = await valuesAfter(actor, call, { values: sent, check: checked.again });
  const linked = linkedByHook(view, sent, values);
  return { write: { ...write, view: linked, checked: { ...checked, values } }, former: null };
}

async function prepareChange(place: Place, made: Change): Promise<PreparedWrite> {
  const { actor, reader } = place;
  const write = isAddition(made) ? await withSums(reader, made) : made;
  const { table, view, id, checked } = write;
  const sent = await validValues(place, write);
  if (!needsTransaction(actor, write)) {
    if (hasPrivateFiles(table)) await refuseHiddenFiles(place, write, sent);
    return { write, former: null };
  }
  const former = await lockedRecord(place, write);
  const fulfilled = await fulfilledBy(reader, write);
  const record = () => appRecord(actor.services, former.json);
  await checkWritePolicy(actor, table, { action: "update", id, record: record(), changes: sent });
  if (hasPrivateFiles(table)) await refuseHiddenFiles(place, write, sent);
  // The locked record matches the precondition; the hook may change its tag.
  const locked = { ...write, ifMatch: null };
  if (Object.keys(sent).length === 0) return { write: locked, former, fulfilled };
  const call = { hook: "beforeUpdate", table, id } as const;
  const proposed = { values: sent, check: checked.again, record: record() };
  const values = await valuesAfter(actor, call, proposed);
  const linked = linkedByHook(view, sent, values);
  const changed = { ...locked, view: linked, checked: { ...checked, values } };
  return { write: changed, former, fulfilled };
}

async function prepareDelete(place: Place, write: Delete): Promise<PreparedWrite> {
  const { actor } = place;
  if (!needsTransaction(actor, write)) return { write, former: null };
  const { table, id } = write;
  const purge = await purgeOfTrashed(place.reader, write);
  if (purge !== null) {
    await preparePurge(place, purge);
    return { write, former: null, isPurge: true };
  }
  const former = await lockedRecord(place, write);
  const record = () => appRecord(actor.services, former.json);
  await checkWritePolicy(actor, table, { action: "delete", id, record: record() });
  const kept = { table, id, isTrashed: isTrashed(write) };
  await runBefore(actor, { hook: "beforeDelete", ...kept }, record());
  const cascaded = await prepareCascade(place, kept);
  return { write: { ...write, ifMatch: null }, former, cascaded };
}

/**
 * Returns the body's values, frozen. If they are invalid, refuses with 404 or 412, then 422. The 422 lists conflicts
 * with other records, unless a policy has yet to decide: a refused caller must not learn anything about other records.
 */
async function validValues(place: Place, write: Create | Change): Promise<Values> {
  const { kind, table, checked } = write;
  if (isValid(checked)) return Object.freeze(checked.values) as Values;
  if (write.kind !== "create") await matchingRecord(place, write);
  if (hasPolicy(place.actor, table, actionOf(kind))) return refuseBody(checked, []);
  return refuseBody(checked, await conflictsOf(place.reader, write, comparable(checked)));
}

/** The values to compare with other records. A malformed value counts as null: it cannot equal a stored one. */
function comparable({ values, malformed }: CheckedBody<object>): Values {
  return {
    ...Object.fromEntries(malformed.map(({ path }) => [path.split(".")[0], null])),
    ...values,
  };
}
