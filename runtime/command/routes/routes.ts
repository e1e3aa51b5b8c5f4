import type { ListedRoute } from "../../app/index.js";
import { type ExitCode, exit } from "../exit.js";
import { sayJson, sayTable } from "../report.js";
import { routesOfApp } from "./ask.js";

export interface RoutesOptions {
  readonly json?: true;
}

/** Lists every route of the built app and its access rule. */
export async function listRoutes(root: string, { json }: RoutesOptions): Promise<ExitCode> {
  const routes = await routesOfApp(root);
  if (json) sayJson({ routes });
  else sayTable([heading, ...routes.map(rowOf)]);
  return exit.done;
}

const heading = ["method", "path", "rule", "own code"];

function rowOf({ method, path, rule, policy, hooks, own }: ListedRoute): readonly string[] {
  const code = [...(own ? ["route"] : []), ...(policy ? ["policy"] : []), ...hooks];
  return [method, path, typeof rule === "string" ? rule : rule.join(", "), code.join(", ")];
}
