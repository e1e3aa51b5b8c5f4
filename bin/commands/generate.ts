import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { readProfileNames } from "../../runtime/config/index.js";
import { requireSources } from "../app-folder.js";
import { type ExitCode, exit } from "../exit.js";
import { type FileChange, fileChanges, sayWritten } from "../generate/changes.js";
import { withGenerateLock } from "../generate/lock.js";
import { count, fail, failProblems, sayDone, sayJson, warn } from "../report.js";

export interface GenerateOptions {
  readonly check?: true;
  readonly name?: string;
  readonly allowDestructive?: readonly string[];
  readonly json?: true;
}

/** Writes what is generated from the descriptors; with `check` only reports what would be written. */
export async function generateCommand(root: string, options: GenerateOptions): Promise<ExitCode> {
  for (const remark of requireSources(root)) warn(remark);
  if (options.check) return generateOrCheck(root, options);
  return withGenerateLock(root, () => generateOrCheck(root, options));
}

async function generateOrCheck(root: string, options: GenerateOptions): Promise<ExitCode> {
  const profiles = readProfileNames(root);
  if (profiles === null) warn(unreadableSettings);
  const { problems, plan, migration, remarks } = await generate({
    root,
    name: options.name ?? null,
    consent: options.allowDestructive ?? [],
    profiles,
  });
  const changes = fileChanges(root, plan);
  for (const remark of remarks) warn(remark);
  if (options.json) sayJson({ problems, changes, migration });
  if (problems.length > 0) {
    if (!options.json) failProblems(problems);
    return exit.mustChange;
  }
  if (options.check) {
    if (!options.json) reportCheck(changes);
    return changes.length === 0 ? exit.done : exit.mustChange;
  }
  writePlan(root, plan);
  if (!options.json) sayWritten(changes, migration);
  return exit.done;
}

const unreadableSettings =
  "service.yaml cannot be read; the profiles of image fields are not checked";

function reportCheck(changes: readonly FileChange[]): void {
  if (changes.length === 0) {
    sayDone("generated/ and migrations/ are up to date");
    return;
  }
  for (const { path, change, edited } of changes) {
    fail(`${path}: ${edited ? "edited by hand" : differences[change]}`);
  }
  const differ = changes.length === 1 ? "differs" : "differ";
  fail(
    `${count(changes.length, "file")} ${differ} from the descriptors`,
    "run: npx service generate",
  );
}

const differences: Readonly<Record<FileChange["change"], string>> = {
  missing: "missing",
  outdated: "out of date",
  stale: "no longer generated from any descriptor",
};
