import type { Environment } from "../environment/environment.js";

/** The environment variables that override settings, by the path of the setting. */
const overriding: Readonly<Record<string, string>> = {
  "database.url": "DATABASE_URL",
  "server.port": "PORT",
  "auth.registration": "SERVICE_REGISTRATION",
  "mailer.url": "SERVICE_MAIL_URL",
  "mailer.from": "SERVICE_MAIL_FROM",
};

/**
 * Whether a value with unset variables is not needed. `url: ${DATABASE_URL}` without that variable means the same as no
 * address: the embedded database is used.
 */
export function isOverridden(
  path: readonly PropertyKey[],
  written: unknown,
  environment: Environment,
): boolean {
  const setting = path.join(".");
  if (setting === "database.url" && written === `\${DATABASE_URL}`) return true;
  const variable = overriding[setting];
  return variable !== undefined && Boolean(environment[variable]);
}

/** The message for a value whose variables are not set. */
export function missingVariables(path: readonly PropertyKey[], names: readonly string[]) {
  const variables = [...new Set(names)];
  const are = variables.length === 1 ? "which is not set" : "which are not set";
  const named = variables.map((name) => `\${${name}}`).join(" and ");
  return {
    message: `${path.join(".")} needs ${named}, ${are}`,
    hint: `set the environment variable ${variables.join(", ")}, or write a default: \${${variables[0]}:-…}`,
  };
}
