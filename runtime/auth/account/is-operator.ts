import type { Config } from "../../config/index.js";
import type { Account } from "./store.js";

export function isOperator({ auth }: Config, { role }: Pick<Account, "role">): boolean {
  return role !== null && auth.operators.includes(role);
}
