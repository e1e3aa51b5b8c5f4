import { v7 } from "uuid";
import { z } from "zod";
import type { Queryable } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import { valueRequired } from "../../values/rules.js";
import { readTimestamp } from "../../values/time.js";
import { isUuid } from "../../values/uuid.js";
import { addressShape, nameShape, roleNameShape } from "../account/input.js";
import { defaultName } from "../account/store.js";
import { recordCreated } from "../event/record.js";
import { text } from "../input.js";
import { hashKinds, type PasswordHash, readHash } from "../password/foreign/read.js";

export interface ImportedAccount {
  readonly id: string;
  /** Whether the other back end provided the id. */
  readonly hasId: boolean;
  readonly email: string;
  readonly name: string;
  readonly role: string | null;
  readonly emailVerified: boolean;
  readonly disabled: boolean;
  /** Null for an account that signs in by email. */
  readonly passwordHash: string | null;
  /** Null means the time of the import. */
  readonly createdAt: string | null;
}

const flag = z.boolean({ error: "Must be true or false" }).nullable();

/** The shape of each value; an empty value becomes null. */
const shapes = {
  email: z.string({ error: valueRequired }).min(1, { error: valueRequired }).pipe(addressShape),
  name: nameShape.nullable(),
  role: roleNameShape.nullable(),
  emailVerified: flag,
  disabled: flag,
  // The message does not contain any of the value.
  passwordHash: text
    .refine((hash) => readHash(hash) !== null, {
      error: `Must be a hash of one of these kinds, within its limits: ${hashKinds}`,
    })
    .nullable(),
  id: z
    .string({ error: "Must be an id (UUID)" })
    .refine(isUuid, { error: "Must be an id (UUID)" })
    .transform((id) => id.toLowerCase())
    .nullable(),
  createdAt: text
    .transform((time, { addIssue }) => {
      const read = readTimestamp(time);
      if (read !== null) return read;
      addIssue({ code: "custom", message: "Must be a time: YYYY-MM-DDThh:mm:ssZ" });
      return z.NEVER;
    })
    .nullable(),
} as const;

/** The fields of an account that can be imported, and the kind of each. */
export const importedFields = {
  id: "id",
  email: "string",
  name: "string",
  role: "string",
  emailVerified: "boolean",
  disabled: "boolean",
  passwordHash: "string",
  createdAt: "timestamp",
} as const satisfies Readonly<Record<keyof typeof shapes, string>>;

/** Reads the values of an account with the rules of `user create`; all errors are reported together. */
export function readImported(
  values: Readonly<Record<string, unknown>>,
): { readonly account: ImportedAccount } | { readonly issues: readonly BodyIssue[] } {
  const issues: BodyIssue[] = [];
  function read<Key extends keyof typeof shapes>(key: Key): z.output<(typeof shapes)[Key]> | null {
    const value = values[key] ?? null;
    const isEmpty = value === "" && key !== "email";
    const result = shapes[key].safeParse(isEmpty ? null : value);
    if (result.success) return result.data as z.output<(typeof shapes)[Key]>;
    issues.push({ path: key, message: result.error.issues[0]?.message ?? "Not valid" });
    return null;
  }
  const id = read("id");
  const email = read("email") ?? "";
  const account: ImportedAccount = {
    id: id ?? v7(),
    hasId: id !== null,
    email,
    name: read("name") ?? defaultName(email),
    role: read("role"),
    emailVerified: read("emailVerified") ?? false,
    disabled: read("disabled") ?? false,
    passwordHash: read("passwordHash"),
    createdAt: read("createdAt"),
  };
  return issues.length > 0 ? { issues } : { account };
}

/** The kind of a hash for the counts of an import, such as `bcrypt` or `argon2id`; null if it cannot be verified. */
export function kindOfHash(hash: string): PasswordHash["kind"] | null {
  return readHash(hash)?.kind ?? null;
}

/** Returns the addresses and ids of these accounts that are already taken. */
export async function takenBy(
  { query }: Queryable,
  accounts: readonly ImportedAccount[],
): Promise<{ readonly emails: ReadonlySet<string>; readonly ids: ReadonlySet<string> }> {
  const ids = accounts.filter(({ hasId }) => hasId).map(({ id }) => id);
  const emails = accounts.map(({ email }) => email);
  const rows = await query<{ id: string; email: string }>(
    `select id, email from service.users where email = any($1)
    union
    select id, email from service.users where id = any($2::uuid[])`,
    [emails, ids],
  );
  return {
    emails: new Set(rows.map(({ email }) => email)),
    ids: new Set(rows.map(({ id }) => id)),
  };
}

/** Adds accounts in one statement, with one event each; their addresses and ids must be free. */
export async function addImported(
  tx: Queryable,
  accounts: readonly ImportedAccount[],
  now: Date,
): Promise<void> {
  if (accounts.length === 0) return;
  await tx.query(
    `insert into service.users
      (id, name, email, role, password_hash, invited, email_verified_at, disabled_at, created_at, updated_at)
    select id, name, email, role, "passwordHash", "passwordHash" is null,
      case when "emailVerified" then $2::timestamptz end,
      case when disabled then $2::timestamptz end,
      coalesce("createdAt", $2), $2
    from json_to_recordset($1) as _sent (
      id uuid, name text, email text, role text, "passwordHash" text, "emailVerified" boolean,
      disabled boolean, "createdAt" timestamptz
    )`,
    [JSON.stringify(accounts), now],
  );
  await recordCreated(
    tx,
    accounts.map(({ id }) => id),
    now,
  );
}
