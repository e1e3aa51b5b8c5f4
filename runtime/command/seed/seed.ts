import { join } from "node:path";
import { type SeedEvent, type SeedResult, seedFiles } from "../../data/at-start.js";
import { askApp, askBuiltApp, type RunnableApp } from "../app/built-app.js";
import { requireApp } from "../app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { count, failProblems, passOnError, sayJson, sayProgress } from "../report.js";

export interface SeedOptions {
  readonly json?: true;
}

/** Stores the records of the app's seed files with the built app. */
export async function seed(
  root: string,
  resources: readonly string[],
  { json }: SeedOptions,
): Promise<ExitCode> {
  requireApp(root);
  const named = resources.filter((name, at) => resources.indexOf(name) === at);
  refuseUnknown(root, named);
  const isNothing = seedFiles(folderOf(root)).length === 0;
  const end: SeedEvent = isNothing
    ? { kind: "done", result: { resources: {}, files: 0 } }
    : await askBuiltApp<SeedEvent>(root, taskOf(root, { resources: named, onlyEmpty: false }));
  const result = resultOf(end);
  if (result === null) return exit.mustChange;
  report(result);
  if (json) sayJson(result);
  return exit.done;
}

/** Stores the seed files of an empty app. Returns false if they contain errors. */
export async function seedIfEmpty(app: RunnableApp): Promise<boolean> {
  const { root } = app;
  if (seedFiles(folderOf(root)).length === 0) return true;
  const end = await askApp<SeedEvent>(app, taskOf(root, { resources: [], onlyEmpty: true }));
  if (end.kind === "filled") return true;
  const result = resultOf(end);
  if (result !== null) report(result);
  return result !== null;
}

function taskOf(
  root: string,
  request: { readonly resources: readonly string[]; readonly onlyEmpty: boolean },
) {
  return {
    variable: "SERVICE_SEED",
    name: "the seed",
    request: { folder: folderOf(root), ...request },
    onOutput: passOnError,
  };
}

function folderOf(root: string): string {
  return join(root, "seed");
}

function refuseUnknown(root: string, resources: readonly string[]): void {
  const names = seedFiles(folderOf(root)).map(({ name }) => name.replace(/\.[^.]+$/, ""));
  for (const resource of resources) {
    if (!names.includes(resource)) throw new CommandRefused(`There is no seed/${resource}.yaml`);
  }
}

/** Returns the result of seeding; if nothing was stored, prints the problems and returns null. */
function resultOf(end: SeedEvent): SeedResult | null {
  switch (end.kind) {
    case "done":
      return end.result;
    case "filled":
      return { resources: {}, files: 0 };
    case "problems":
      failProblems(end.problems, "nothing was stored");
      return null;
    case "refused":
      throw new CommandRefused(end.message, end.hint);
  }
}

function report({ resources, files }: SeedResult): void {
  for (const [resource, { created, updated, unchanged }] of Object.entries(resources)) {
    sayProgress(`${resource}: ${created} created, ${updated} updated, ${unchanged} unchanged`);
  }
  if (files > 0) sayProgress(`${count(files, "file")} stored`);
}
