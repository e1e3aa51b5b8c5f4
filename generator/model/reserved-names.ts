import { isTypeScriptReserved } from "../text/reserved-words.js";
import { isRuntimeSymbol } from "./runtime-symbols.js";

/** Whether emitted TypeScript cannot use the word as a name. */
export function isTakenInTypeScript(word: string): boolean {
  return isTypeScriptReserved(word) || emittedNames.has(word) || isRuntimeSymbol(word);
}

/** Names that emitted files declare or use. */
const emittedNames: ReadonlySet<string> = new Set([
  "Hooks",
  "Locals",
  "AppHooks",
  "Policies",
  "Resources",
  "createApp",
  "fields",
  "options",
  "record",
  // Used in files of version 0.5: a resource keeps the names that it had then.
  "AppResources",
  "ResourceClient",
  "ResourceDefinition",
  "ResourceHooks",
  "ResourcePolicies",
  "Route",
  "UploadFields",
]);

/** Returns the hint for a resource name whose path or table is reserved; null for any other name. */
export function reservedResourceHint(name: string): string | null {
  if (name.startsWith("pg-")) {
    return "PostgreSQL reserves names that begin with pg_: rename the file";
  }
  return reservedResources.get(name) ?? null;
}

const reservedResources: ReadonlyMap<string, string> = new Map([
  ["as", "app code calls resources.as(caller): rename the file"],
  ["users", "accounts are built in: link to them with resource: users"],
  ["auth", "/api/auth is reserved for sign-in: rename the file"],
]);
