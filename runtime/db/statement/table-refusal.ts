import { spelledTable } from "../../values/sql/table-name.js";
import { functionOf, isRaised, isUnavailable, sqlState, stringOf } from "./sqlstate.js";

/** Why a write was refused: by the table, or by a function that runs on the write. */
export type TableRefusal = ConstraintRefusal | RaisedRefusal | { readonly kind: "function" };

/** Refused by `raise exception`. */
interface RaisedRefusal {
  readonly kind: "raised";
  readonly message: string;
}

/** Refused by a constraint or a unique index; `empty` is a `not null` column, `link` a foreign key. */
export interface ConstraintRefusal {
  readonly kind: "unique" | "check" | "empty" | "exclusion" | "link";
  /** The name of the constraint or, for `not null`, of the column. */
  readonly name: string;
  /** The table as descriptors spell it; null for a constraint of a domain. */
  readonly table: string | null;
  /** The schema and name of the domain that has the constraint, without quotes; omitted for constraints of a table. */
  readonly domain?: readonly [string, string];
}

const kinds: Readonly<Record<string, ConstraintRefusal["kind"]>> = {
  "23001": "link",
  "23502": "empty",
  "23503": "link",
  "23505": "unique",
  "23514": "check",
  "23P01": "exclusion",
};

/**
 * Returns why a table outside the schema `service` refused a write. Null for any other error, such as one of the
 * package's own functions. An error within an app function counts as that function's failure, whichever table it wrote
 * to.
 */
export function tableRefusal(error: unknown): TableRefusal | null {
  const state = sqlState(error);
  if (!(error instanceof Error) || state === null || isUnavailable(error)) return null;
  if (isRaised(error)) return { kind: "raised", message: error.message };
  const whose = functionOf(error);
  if (whose !== null) return whose === "app" ? { kind: "function" } : null;
  // The expression of a check, a generated column or an index failed.
  if (state.startsWith("22")) return { kind: "function" };
  const kind = kinds[state];
  if (kind === undefined || stringOf(error, "schema") === "service") return null;
  const table = tableOf(error);
  const column = kind === "empty" ? stringOf(error, "column") : null;
  const name = column ?? stringOf(error, "constraint") ?? stringOf(error, "dataType");
  const domain = [stringOf(error, "schema"), stringOf(error, "dataType")] as const;
  const isOfDomain = table === null && domain[0] !== null && domain[1] !== null;
  return {
    ...{ kind, name: name ?? table ?? "", table },
    ...(isOfDomain && { domain: [domain[0] ?? "", domain[1] ?? ""] as const }),
  };
}

function tableOf(error: Error): string | null {
  const [schema, name] = [stringOf(error, "schema"), stringOf(error, "table")];
  return name === null ? null : spelledTable({ schema: schema ?? "public", name });
}
