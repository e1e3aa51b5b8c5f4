import { authRoutes, withoutApps } from "../../auth/index.js";
import type { Config } from "../../config/index.js";
import { homeRoutes } from "../../home/index.js";
import type { HandledRoute, Route } from "../../http/index.js";
import type { ResourceDefinition } from "../../resource/index.js";
import type { Uploads } from "../../uploads/at-start.js";
import { viewRoutes } from "../../views/index.js";
import { type AccountDeletion, accountRecordsOf } from "../start/account-records.js";
import { avatarRoute } from "./avatar-route.js";

interface AccountParts {
  readonly accounts: AccountDeletion | undefined;
  readonly definitions: readonly ResourceDefinition[];
  readonly uploads: Uploads;
}

/** Returns the routes of accounts and their data; empty if the app does not use the package's accounts. */
export function accountRoutes(
  auth: Config["auth"],
  { accounts, definitions, uploads }: AccountParts,
): readonly Route[] {
  if (!auth.enabled) return [];
  const records = accountRecordsOf(accounts ?? null);
  const parts = { records, onDeleted: () => uploads.removeObjects() };
  return [
    ...authRoutes(auth, parts),
    avatarRoute(uploads),
    ...viewRoutes(definitions),
    ...homeRoutes,
  ];
}

/** Returns routes for operators; empty if there is no operator role. */
export function forOperators(
  auth: Config["auth"],
  routes: (operators: readonly string[]) => readonly HandledRoute[],
): readonly Route[] {
  const { enabled, operators } = auth;
  return enabled && operators.length > 0 ? withoutApps(auth, routes(operators)) : [];
}
