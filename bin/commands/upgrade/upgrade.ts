import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { namesOf } from "../../../generator/model/names.js";
import { writeWhole } from "../../../generator/output/write.js";
import { requireApp } from "../../../runtime/command/app/folder.js";
import { CommandRefused, type ExitCode, exit } from "../../../runtime/command/exit.js";
import { count, say, sayAside, sayDone } from "../../../runtime/command/report.js";
import { ownFiles } from "./own-files.js";
import { rewrite } from "./rewrite.js";
import type { Rewritten } from "./rewritten.js";
import { uncommittedChanges } from "./uncommitted.js";

export interface UpgradeOptions {
  readonly dryRun?: true;
  readonly force?: true;
}

interface Change extends Rewritten {
  /** Relative to the app's folder. */
  readonly path: string;
}

/** Rewrites an app of version 0.5 for the two packages into which `service` was split. */
export async function upgrade(root: string, { dryRun, force }: UpgradeOptions): Promise<ExitCode> {
  requireApp(root);
  const changes = changesIn(root);
  if (changes.length === 0) {
    sayDone(`${root} is an app of this version; nothing was changed`);
    return exit.done;
  }
  if (!dryRun && !force) refuseUncommitted(await uncommittedChanges(root));
  for (const { path, text, what } of changes) {
    if (!dryRun) writeWhole(join(root, path), text);
    say(`${path}: ${what}`);
  }
  const files = count(changes.length, "file");
  if (dryRun) {
    sayAside(`${files} would change; nothing was written`);
    return exit.done;
  }
  sayDone(`${files} changed`);
  say("  npm install");
  say("  npx service generate");
  return exit.done;
}

function changesIn(root: string): readonly Change[] {
  const { version }: { version: string } = createRequire(import.meta.url)(
    "service-cli/package.json",
  );
  const target = { version, whereTypes: whereTypesOf(root) };
  return ownFiles(root).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const rewritten = rewrite({ path, text }, target);
    return rewritten === null ? [] : [{ path, ...rewritten }];
  });
}

/** The folder of each generated type of conditions, by name; empty if the descriptors cannot be read. */
function whereTypesOf(root: string): ReadonlyMap<string, string> {
  const { descriptors } = readDescriptors(findDescriptors(root));
  return new Map(descriptors.map((one) => [`${namesOf(one).type}Where`, one.name]));
}

function refuseUncommitted(changed: readonly string[]): void {
  if (changed.length === 0) return;
  throw new CommandRefused(
    `There are uncommitted changes: ${changed.join(", ")}`,
    "commit them first, so that you see what upgrade changes, or run it with --force",
  );
}
