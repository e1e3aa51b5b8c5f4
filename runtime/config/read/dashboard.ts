import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { freezeDeep } from "../../values/freeze.js";
import type { Problem } from "../../values/problem.js";
import { type Environment, readDashboardEnvironment } from "../environment/environment.js";
import { secret } from "../environment/variables.js";
import { readDocument } from "../file/document.js";
import { readSettings } from "../file/settings.js";
import type { AppLook } from "../result/config.js";
import { ConfigError, environmentProblem } from "../result/problem.js";
import { appShape } from "../shape/shape.js";
import { origin, text, whole } from "../shape/values.js";
import { lookOf, lookProblems } from "./look.js";

/** The settings of a dashboard in a separate process, which has no database and may have no app folder. */
export interface DashboardSettings {
  readonly apiUrl: string;
  /** The dashboard's address; null if it is not configured. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  readonly trustProxy: number;
  readonly host: string;
  readonly port: number;
  readonly look: AppLook;
}

const port = whole(0, 65_535).default(3001);

const variables = z.object({
  SERVICE_API_URL: origin.default("http://127.0.0.1:3000"),
  SERVICE_WEB_URL: origin.optional(),
  SERVICE_PROXY_SECRET: secret
    .regex(/^\P{Cc}*$/u, { error: "must have no control characters" })
    .optional(),
  SERVICE_TRUST_PROXY: whole(0, 100).default(0),
  HOST: text.default("127.0.0.1"),
  PORT: port,
});

/**
 * Reads the environment and, if `root` has a `service.yaml`, the app's look. Throws a `ConfigError` with every problem.
 */
export function readDashboardSettings(
  root: string,
  { apiUrl }: { readonly apiUrl?: string } = {},
): DashboardSettings {
  const environment = readDashboardEnvironment(root);
  const given = apiUrl === undefined ? environment : { ...environment, SERVICE_API_URL: apiUrl };
  const result = variables.safeParse(written(given));
  const { look, problems } = readLook(root, environment);
  const all = [...problems, ...(result.error?.issues ?? []).map(variableProblem)];
  if (!result.success || all.length > 0) throw new ConfigError(all);
  const { data } = result;
  return freezeDeep<DashboardSettings>({
    apiUrl: data.SERVICE_API_URL,
    webUrl: data.SERVICE_WEB_URL ?? null,
    proxySecret: data.SERVICE_PROXY_SECRET ?? null,
    trustProxy: data.SERVICE_TRUST_PROXY,
    host: data.HOST,
    port: data.PORT,
    look,
  });
}

/** The preferred port of the dashboard under `service dev`. */
export function readDashboardPort(environment: Environment): number {
  const result = z.object({ SERVICE_DASHBOARD_PORT: port }).safeParse(written(environment));
  if (!result.success) throw new ConfigError(result.error.issues.map(variableProblem));
  return result.data.SERVICE_DASHBOARD_PORT;
}

/** Removes empty variables, which count as unset. */
function written(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

function variableProblem({ path, message }: z.core.$ZodIssue): Problem {
  const name = path.join(".");
  const hint = name === "SERVICE_API_URL" ? "it is the API's address without /api" : null;
  return environmentProblem(`${name} ${message}`, hint);
}

/** Reads `app` of `service.yaml`, regardless of the rest of the file. */
function readLook(
  root: string,
  environment: Environment,
): { readonly look: AppLook; readonly problems: readonly Problem[] } {
  if (!existsSync(join(root, "service.yaml"))) return { look: noLook, problems: [] };
  const document = readDocument(root, environment);
  const own = readSettings(document).problems.filter(
    ({ message }) => document.problems.length > 0 || /^app\b/.test(message),
  );
  const { data } = withApp.safeParse(document.value);
  if (own.length > 0 || data === undefined) return { look: noLook, problems: own };
  return { look: lookOf(data.app, root), problems: lookProblems(data.app, document, root) };
}

const noLook: AppLook = { name: "Dashboard", logo: null, colour: null };

const withApp = z.object({ app: appShape });
