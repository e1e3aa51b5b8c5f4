import { type ListedToken, listTokens } from "../../auth/index.js";
import { withAppServices } from "../app/services.js";
import { type ExitCode, exit } from "../exit.js";
import { dayOf, sayAside, sayJson, sayTable } from "../report.js";

export interface TokenListOptions {
  readonly json?: true;
}

/** Lists all service tokens, sorted by address. */
export async function listServiceTokens(
  root: string,
  { json }: TokenListOptions,
): Promise<ExitCode> {
  const tokens = await withAppServices(root, listTokens);
  if (json) sayJson({ tokens });
  else if (tokens.length === 0)
    sayAside("There are no service tokens; npx service token create makes one");
  else sayTable([heading, ...tokens.map(rowOf)]);
  return exit.done;
}

const heading = ["id", "email", "name", "created", "last used", "expires"];

function rowOf(token: ListedToken): readonly string[] {
  const { id, email, name, createdAt, lastUsedAt, expiresAt } = token;
  const end = expiresAt === null ? "-" : dayOf(expiresAt);
  return [id, email, name, dayOf(createdAt), dayOf(lastUsedAt), end];
}
