import type { Config } from "../../config/index.js";
import type { Account } from "./store.js";

/** Whether the account's role is one of `auth.operators`. */
export function isOperator({ auth }: Config, { role }: Pick<Account, "role">): boolean {
  return role !== null && auth.operators.includes(role);
}
