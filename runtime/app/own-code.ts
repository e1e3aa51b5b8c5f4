import type { Router } from "express";
import { ownPaths, type Policies, type ResourcePolicies, type Route } from "../http/index.js";
import { nearest } from "../values/nearest.js";
import { StartRefused } from "./start.js";

interface OwnCode {
  readonly policies: Policies;
  readonly ownRouter: Router | null;
  /** Those of the resources. */
  readonly generated: readonly Route[];
  /** With those of the package. */
  readonly routes: readonly Route[];
}

/** Refuses the start, a line for each, where code of the app's own would never be asked. */
export function refuseDeadCode({ policies, ownRouter, generated, routes }: OwnCode): void {
  const resources = [...new Set(generated.map(({ path }) => path.split("/")[1] ?? ""))];
  const problems = [
    ...Object.entries(policies).flatMap(([name, own]) => policyProblems(name, own, resources)),
    ...(ownRouter === null ? [] : ownPaths(ownRouter, routes).problems),
  ];
  if (problems.length > 0) throw new StartRefused(problems.join("\n"));
}

const actions: Readonly<Record<keyof ResourcePolicies<unknown>, true>> = {
  list: true,
  get: true,
  stats: true,
  create: true,
  update: true,
  delete: true,
};

function policyProblems(name: string, own: unknown, resources: readonly string[]): string[] {
  if (own === undefined) return [];
  if (!resources.includes(name)) {
    return [`policies: there is no resource "${name}"${meant(name, resources)}`];
  }
  if (typeof own !== "object" || own === null) return [`policies: "${name}" must be an object`];
  return Object.entries(own).flatMap(([action, policy]) => {
    if (!Object.hasOwn(actions, action)) {
      const known = Object.keys(actions);
      return [`policies: "${name}" has no action "${action}"${meant(action, known)}`];
    }
    if (policy === undefined || typeof policy === "function") return [];
    return [`policies: "${action}" of "${name}" must be a function`];
  });
}

function meant(word: string, candidates: readonly string[]): string {
  const close = nearest(word, candidates);
  return close === null ? `; there are ${candidates.join(", ")}` : `; did you mean "${close}"?`;
}
