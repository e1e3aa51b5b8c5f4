import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { shellWord } from "../../../runtime/command/app/command-line.js";
import { type ExitCode, exit } from "../../../runtime/command/exit.js";
import { say, sayAside, sayDone, warn } from "../../../runtime/command/report.js";
import { writeNew } from "../../app/write-new.js";
import { deployFiles, unreadVariables } from "./deploy/files.js";
import type { Place } from "./deploy/places.js";
import { starterFiles } from "./files.js";
import type { StarterName } from "./starters.js";

export interface InitOptions {
  readonly template?: StarterName;
  /** The deployments to write files for. */
  readonly deploy?: readonly Place[];
}

/** Writes those files of the starter app and its deployments that do not exist yet. */
export async function init(
  root: string,
  { template, deploy: places = [] }: InitOptions,
): Promise<ExitCode> {
  const hadManifest = existsSync(join(root, "package.json"));
  const files = [...starterFiles(root, template ?? null), ...deployFiles(root, places)];
  let written = 0;
  for (const { path, text } of files) {
    const isNew = await writeNew(join(root, path), text);
    if (isNew) written += 1;
    if (isNew) say(`wrote  ${path}`);
    else sayAside(`kept   ${path}`);
  }
  if (written === 0) {
    sayDone(`${root} is already a complete app; nothing was changed`);
    return exit.done;
  }
  sayDone(`${root} is an app`);
  if (hadManifest) {
    warn("package.json already existed; it needs at least these entries");
    warn('  npm pkg set type=module scripts.build=tsc scripts.start="node dist/server.js"');
  }
  const unread = unreadVariables(root, places);
  if (unread.length > 0) {
    warn(`service.yaml does not refer to ${unread.join(", ")}, which deployments set`);
    warn("  docs/deployment.md of the package lists the lines to add");
  }
  const folder = relative(process.cwd(), root);
  if (folder !== "") say(`  cd ${shellWord(folder)}`);
  say("  npm install");
  say("  npx service dev");
  return exit.done;
}
