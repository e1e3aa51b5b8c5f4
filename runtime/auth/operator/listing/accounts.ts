import type { Access } from "../../../db/index.js";
import { type Context, Parameters } from "../../../http/index.js";
import type { Account } from "../../account/store.js";
import { viewProof } from "../../session/kind.js";

/** An account as an operator sees it over HTTP, with keys in the API's order. */
export interface ShownAccount extends Account {
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  readonly disabled: boolean;
  readonly createdAt: Date;
  /** The last use of any of the account's devices; null if it has none. */
  readonly lastUsedAt: Date | null;
}

/** An operator who views the app as an account does not count as a use of it. */
const lastUse = `(
  select max(s.last_used_at)
  from service.sessions s
  where s.user_id = u.id
    and s.proofs[1] <> '${viewProof}'
)`;

const shownColumns = `
  u.id, u.name, u.email, u.role,
  u.email_verified_at is not null as "emailVerified",
  exists (select from service.second_steps s where s.user_id = u.id) as "twoFactorEnabled",
  u.disabled_at is not null as "disabled",
  u.created_at as "createdAt",
  ${lastUse} as "lastUsedAt"`;

/** The account with that id; null if there is none. */
export async function findShownAccount(
  db: Pick<Access, "query">,
  id: string,
): Promise<ShownAccount | null> {
  const rows = await db.query<ShownAccount>(
    `select ${shownColumns} from service.users u where u.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The SQL expression of each sort key, over an account `u`. */
const sortColumns: Readonly<Record<string, string>> = {
  name: "u.name",
  email: `u.email collate "und-x-icu"`,
  role: `u.role collate "und-x-icu"`,
  createdAt: "u.created_at",
  lastUsedAt: lastUse,
};

/** Maximum number of characters of `q`. */
const maxSearch = 200;

interface Listing {
  readonly page: number;
  readonly perPage: number;
  /** The SQL condition. */
  readonly where: string;
  readonly order: string;
  readonly values: readonly unknown[];
}

/** The JSON of `GET /_service/accounts`. Refuses all invalid parameters (400). */
export async function listShownAccounts({ services, query }: Context): Promise<string> {
  const { page, perPage, where, order, values } = readListing(query);
  const { db } = services;
  const [counted] = await db.read<{ total: string }>({
    text: `select count(*) as total from service.users u where ${where}`,
    values,
    cost: "scan",
    isVaried: true,
  });
  const next = values.length + 1;
  const data = await db.read<ShownAccount>({
    text: `select ${shownColumns}
     from (
       select u.id, row_number() over (order by ${order}) as at
       from service.users u
       where ${where}
       order by ${order}
       limit $${next}
       offset $${next + 1}
     ) page
     join service.users u on u.id = page.id
     order by page.at`,
    values: [...values, perPage, String(BigInt(page - 1) * BigInt(perPage))],
    cost: "scan",
    isVaried: true,
  });
  const total = Number(counted?.total);
  const meta = { page, perPage, total, totalPages: Math.ceil(total / perPage) };
  return JSON.stringify({ data, meta });
}

function readListing(query: string): Listing {
  const parameters = new Parameters(query);
  const page = parameters.takeInteger("page", {
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
  });
  const perPage = parameters.takeInteger("perPage", { min: 1, max: 100, default: 25 });
  const order = readOrder(parameters);
  const values: unknown[] = [];
  const conditions = [...readSearch(parameters, values), ...readFilters(parameters, values)];
  parameters.finish();
  return { page, perPage, order, values, where: ["true", ...conditions].join(" and ") };
}

/**
 * Newest first unless another order is requested. Empty values sort last; ties are broken by id, in the direction of
 * the sort.
 */
function readOrder(parameters: Parameters): string {
  const sort = parameters.take("sort") ?? "-createdAt";
  const [, minus, key = ""] = /^(-?)(.*)$/s.exec(sort) ?? [];
  const column = Object.hasOwn(sortColumns, key) ? sortColumns[key] : undefined;
  if (column === undefined) {
    const keys = Object.keys(sortColumns).join(", ");
    parameters.reject("sort", `Must be one of ${keys}, optionally with a leading -`);
  }
  const direction = minus === "-" ? "desc" : "asc";
  return `${column} ${direction} nulls last, u.id ${direction}`;
}

function readSearch(parameters: Parameters, values: unknown[]): readonly string[] {
  const text = parameters.take("q") ?? "";
  if ([...text].length > maxSearch) {
    parameters.reject("q", `Must have at most ${maxSearch} characters`);
  }
  if (text === "") return [];
  const sought = `service.fold_text($${values.push(text)})`;
  const contains = (column: string) => `strpos(service.fold_text(${column}), ${sought}) > 0`;
  return [`(${contains("u.name")} or ${contains("u.email")})`];
}

function readFilters(parameters: Parameters, values: unknown[]): readonly string[] {
  return parameters.takeFilters().flatMap(({ param, field, operator, value }) => {
    if (operator !== null || (field !== "role" && field !== "disabled")) {
      parameters.reject(param, "Unknown parameter");
      return [];
    }
    if (field === "role") {
      // As in the filters of resources, an empty text and `null` both mean an empty value.
      const isNone = value === "" || value === "null";
      return [isNone ? "u.role is null" : `u.role = $${values.push(value)}`];
    }
    if (value !== "true" && value !== "false") {
      parameters.reject(param, "Must be true or false");
      return [];
    }
    return [`u.disabled_at is ${value === "true" ? "not null" : "null"}`];
  });
}
