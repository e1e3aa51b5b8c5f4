import { isTooMuch, isUnavailable, type Queryable } from "../../db/index.js";
import type { OwnedRights, PathMoves, Watched } from "../../resource/index.js";
import type { LoggedChange } from "../log/read.js";
import type { ChangedRecords } from "./changed-records.js";
import type { Group } from "./subscriber.js";

/** The effect of changes on subscribers that may list only their own records. */
export interface OwnedChanges {
  /** Whether changes to other tables have changed which records the group's subscribers own. */
  haveMoved(group: Group): boolean;
  /** Whether the account owned one of the changed records before, between or after the changes. */
  concern(watched: Watched, account: string | null): boolean;
}

type Accounts = Map<OwnedRights, { readonly resource: string; readonly ids: Set<string> }>;

/** The accounts that own changed records, and those that own different records because other tables have changed. */
interface Concerned {
  readonly owners: ReadonlySet<string>;
  readonly moved: ReadonlySet<string>;
}

interface Logged {
  readonly changes: readonly LoggedChange[];
  readonly changed: ReadonlyMap<string, ChangedRecords>;
}

/**
 * Finds the accounts that are affected by changes. One statement checks all accounts: its cost grows with the changes,
 * not with the subscribers, few of which own a changed record. If a statement fails, queries about its groups throw.
 */
export async function findOwnedChanges(
  db: Queryable,
  groups: readonly Group[],
  logged: Logged,
): Promise<OwnedChanges> {
  const found = new Map<OwnedRights, Concerned | Error>();
  for (const [own, { resource, ids }] of accountsOf(groups)) {
    const accounts = [...ids];
    const read = async (text: string, values: readonly unknown[]) => {
      const rows = await db.query<{ place: number }>(text, [...values, accounts]);
      return rows.flatMap(({ place }) => accounts[place - 1] ?? []);
    };
    const concerned = concernedBy({ own, resource, accounts, read }, logged);
    found.set(own, await concerned.catch(errorOf));
  }
  const paths = await movedPaths(db, groups, logged);
  const has = (which: keyof Concerned, own: OwnedRights | null, account: string | null) => {
    const concerned = own === null ? undefined : found.get(own);
    if (concerned instanceof Error) throw concerned;
    return account !== null && concerned?.[which].has(account) === true;
  };
  const hasMoved = (path: PathMoves) => {
    const moved = paths.get(path);
    if (moved instanceof Error) throw moved;
    return moved === true;
  };
  return {
    haveMoved: ({ watched, account }) =>
      watched.some((one) => has("moved", one.own, account) || one.paths.some(hasMoved)),
    concern: ({ own }, account) => own === null || has("owners", own, account),
  };
}

function errorOf(err: unknown): Error {
  if (!(err instanceof Error) || (isUnavailable(err) && !isTooMuch(err))) throw err;
  return err;
}

/**
 * Returns, for each path of the groups' conditions, whether changes to its table affect records. Each path is queried
 * once for all groups.
 */
async function movedPaths(
  db: Queryable,
  groups: readonly Group[],
  { changes, changed }: Logged,
): Promise<ReadonlyMap<PathMoves, boolean | Error>> {
  const paths = new Set(groups.flatMap(({ watched }) => watched.flatMap((one) => one.paths)));
  const moved = new Map<PathMoves, boolean | Error>();
  for (const path of paths) {
    const { resource, text } = path;
    const numbers = changes.flatMap((change) => (change.resource === resource ? [change.n] : []));
    if (changed.get(resource)?.isEmptied === true) moved.set(path, true);
    else if (numbers.length > 0) {
      const isMoved = db.query(text, [numbers]).then((rows) => rows.length > 0);
      moved.set(path, await isMoved.catch(errorOf));
    }
  }
  return moved;
}

interface Asking {
  readonly own: OwnedRights;
  readonly resource: string;
  readonly accounts: readonly string[];
  read(text: string, values: readonly unknown[]): Promise<readonly string[]>;
}

async function concernedBy(
  { own, resource, accounts, read }: Asking,
  { changes, changed }: Logged,
): Promise<Concerned> {
  const { ids = [], firsts, lasts } = changed.get(resource) ?? {};
  const owners = ids.length === 0 ? [] : await read(own.owners, [ids, firsts, lasts, resource]);
  const moved: string[] = [];
  for (const { resource: other, text } of own.moves) {
    if (changed.get(other)?.isEmptied === true) {
      // The rows no longer exist, so their owners are unknown.
      moved.push(...accounts);
      continue;
    }
    const numbers = changes.flatMap((change) => (change.resource === other ? [change.n] : []));
    if (numbers.length > 0) moved.push(...(await read(text, [numbers])));
  }
  return { owners: new Set(owners), moved: new Set(moved) };
}

function accountsOf(groups: readonly Group[]): Accounts {
  const accounts: Accounts = new Map();
  for (const { watched, account } of groups) {
    if (account === null) continue;
    for (const { own, table } of watched) {
      if (own === null) continue;
      const known = accounts.get(own) ?? { resource: table.resource, ids: new Set() };
      accounts.set(own, known);
      known.ids.add(account);
    }
  }
  return accounts;
}
