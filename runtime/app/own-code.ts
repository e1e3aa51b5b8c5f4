import type { Router } from "express";
import { ownPaths, type Route } from "../http/index.js";
import type { Policies, ResourcePolicies } from "../services/index.js";
import { nearest } from "../values/nearest.js";
import { type StartProblem, StartRefused } from "./start.js";

interface OwnCode {
  readonly policies: Policies;
  readonly ownRouter: Router | null;
  /** The routes of the resources. */
  readonly generated: readonly Route[];
  /** All routes, those of the package included. */
  readonly routes: readonly Route[];
}

/** Refuses the start, with a line for each problem, where own code of the app would never run. */
export function refuseUnreachableCode({ policies, ownRouter, generated, routes }: OwnCode): void {
  const resources = [...new Set(generated.map(({ path }) => path.split("/")[1] ?? ""))];
  const problems = [
    ...Object.entries(policies).flatMap(([name, own]) => policyProblems(name, own, resources)),
    ...(ownRouter === null ? [] : ownPaths(ownRouter, routes).problems),
  ];
  if (problems.length > 0) throw new StartRefused(...problems);
}

const actions: Readonly<Record<keyof ResourcePolicies<unknown>, true>> = {
  list: true,
  get: true,
  stats: true,
  create: true,
  update: true,
  delete: true,
};

function policyProblems(
  name: string,
  own: unknown,
  resources: readonly string[],
): readonly StartProblem[] {
  if (own === undefined) return [];
  if (!resources.includes(name)) {
    return [refused(`there is no resource "${name}"`, suggestion(name, resources))];
  }
  if (typeof own !== "object" || own === null) {
    return [refused(`"${name}" must be an object`, anExample)];
  }
  return Object.entries(own).flatMap(([action, policy]) => {
    if (!Object.hasOwn(actions, action)) {
      return [
        refused(`"${name}" has no action "${action}"`, suggestion(action, Object.keys(actions))),
      ];
    }
    if (policy === undefined || typeof policy === "function") return [];
    return [refused(`"${action}" of "${name}" must be a function`, anExample)];
  });
}

function refused(message: string, hint: string): StartProblem {
  return { message: `policies: ${message}`, hint };
}

const anExample = "for example { create: (caller) => caller.role !== null }";

function suggestion(word: string, candidates: readonly string[]): string {
  const close = nearest(word, candidates);
  if (close !== null) return `did you mean "${close}"?`;
  if (candidates.length === 0) return "there are none";
  const more = candidates.length - maxNamed;
  const named = candidates.slice(0, maxNamed).join(", ");
  return more > 0 ? `there are ${named} and ${more} more` : `there are ${named}`;
}

/** A line that names every resource of a large app would not be read. */
const maxNamed = 10;
