import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Debian installs some of them outside of the usual search path. */
export const toolEnvironment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

/** Whether a program is installed. If not, the report says that its tests are skipped. */
export function hasTool(name: string, versionOption: string): boolean {
  const found = spawnSync(name, [versionOption], { env: toolEnvironment }).status === 0;
  if (!found) process.stderr.write(`${name} is not installed: its tests are skipped\n`);
  return found;
}

/** Output and exit status of a program. */
export function runTool(name: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(name, args, {
    env: { ...toolEnvironment, HOME: tmpdir() },
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Writes files into a folder that goes with the tests of this file. */
export function filesFor(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "service-deploy-"));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
