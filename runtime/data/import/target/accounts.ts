import { z } from "zod";
import {
  addImported,
  type ImportedAccount,
  importedFields,
  kindOfHash,
  readImported,
  takenBy,
} from "../../../auth/index.js";
import type { Clock } from "../../../clock/index.js";
import type { Queryable } from "../../../db/index.js";
import type { RowIssue, RowOutcome } from "../../../resource/index.js";
import type { PeopleTable } from "../../read/people.js";
import { inTransaction } from "../../session/transaction.js";
import type { ReadRow } from "../row-reader.js";
import type { StoreChunk } from "../store-chunk.js";
import { holdPeople, linkPeople } from "./people.js";
import type { ImportTarget } from "./target.js";

const columns = Object.fromEntries(
  Object.entries(importedFields).map(([field, kind]) => [field, { kind }]),
);

export interface AccountsTarget {
  readonly clock: Clock;
  /** The table whose rows get accounts; null for a file. */
  readonly people: PeopleTable | null;
}

/** Imports rows as accounts: no email is sent, and no hook runs. */
export function accountsTarget({ clock, people }: AccountsTarget): ImportTarget {
  return {
    fields: { table: { columns }, shapes: { create: { email: z.string() } } },
    linked: new Map(),
    async begin(session) {
      const hashes = new Map<string, number>();
      let withoutPassword = 0;
      let otherHashes = 0;
      return {
        within: (work) =>
          inTransaction(session, (connection) =>
            work(connection, storeAccounts(connection, { clock, people })),
          ),
        runAfter: async () => {},
        onCreated({ row }) {
          const hash = row?.values.passwordHash ?? "";
          const kind = typeof hash === "string" && hash !== "" ? kindOfHash(hash) : null;
          if (kind === null && hash !== "") otherHashes += 1;
          if (kind === null) withoutPassword += 1;
          else hashes.set(kind, (hashes.get(kind) ?? 0) + 1);
        },
        accounts: () => ({
          ...{ withoutPassword, hashes: Object.fromEntries(hashes) },
          ...(people !== null && { otherHashes }),
        }),
      };
    },
  };
}

type CheckedRow = { readonly account: ImportedAccount } | { readonly issues: readonly RowIssue[] };

/**
 * Inserts the accounts of a chunk in one statement. Of two accounts with the same email address or id, the later is
 * refused.
 */
function storeAccounts(connection: Queryable, { clock, people }: AccountsTarget): StoreChunk {
  return async (rows) => {
    const held = people === null ? null : await holdPeople(connection, people, rows.map(keyOf));
    const checked = rows.map((row) =>
      held === null || held.has(keyOf(row)) ? checkRow(withoutOtherHash(row, people)) : noPerson,
    );
    const readable = checked.flatMap((one) => ("account" in one ? [one.account] : []));
    const taken = await takenBy(connection, readable);
    const emails = new Set(taken.emails);
    const ids = new Set(taken.ids);
    const added: ImportedAccount[] = [];
    const linked = new Map<string, string>();
    const outcomes = checked.map((one, at): RowOutcome => {
      if ("issues" in one) return one.issues;
      const { account } = one;
      const { id, hasId, email } = account;
      const issues: RowIssue[] = [];
      if (emails.has(email)) issues.push({ path: "email", message: "Already has an account" });
      if (hasId && ids.has(id)) issues.push({ path: "id", message: "Another account has this id" });
      if (issues.length > 0) return issues;
      emails.add(email);
      ids.add(id);
      added.push(account);
      linked.set(keyOf(rows[at]), id);
      return "created";
    });
    await addImported(connection, added, clock.now());
    if (people !== null) await linkPeople(connection, people, linked);
    return outcomes;
  };
}

const noPerson: CheckedRow = {
  issues: [{ path: null, message: "The row was deleted or got an account during the import" }],
};

/** The key of a row of a table. */
function keyOf(row: ReadRow | undefined): string {
  return row?.record.id ?? "";
}

/** Removes a password hash of an unsupported format: people of an adopted table get an account without a password. */
function withoutOtherHash(read: ReadRow, people: PeopleTable | null): ReadRow {
  const { row } = read;
  const hash = row?.values.passwordHash;
  if (people === null || row === null || typeof hash !== "string") return read;
  if (hash === "" || kindOfHash(hash) !== null) return read;
  return { ...read, row: { ...row, values: { ...row.values, passwordHash: null } } };
}

function checkRow({ row, unread }: ReadRow): CheckedRow {
  if (row === null) return { issues: unread };
  const read = readImported(row.values);
  const issues = "issues" in read ? read.issues : [];
  const known = new Set(row.issues.map(({ path }) => path));
  const all = [...row.issues, ...issues.filter(({ path }) => !known.has(path))];
  return "account" in read && all.length === 0 ? read : { issues: all };
}
