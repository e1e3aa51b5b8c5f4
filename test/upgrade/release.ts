import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { formatProblem } from "../../runtime/values/problem.js";
import { makeAppFolder } from "../support/apps/app-folder.js";
import { linkPackages } from "../support/apps/link-packages.js";
import type { Known } from "./fill.js";

const repository = resolve(import.meta.dirname, "../..");
const folder = join(repository, "fixtures/releases");

/** The versions of which an app with its database is stored. */
export const releases: readonly string[] = readdirSync(folder);

/** The package's migrations in that release: the name and the hash of each. */
export function packageMigrations(version: string): Readonly<Record<string, string>> {
  return JSON.parse(stored(version, "package-migrations.json"));
}

/** SQL that makes the database of that release. */
export function storedDatabase(version: string): string {
  return stored(version, "database.sql");
}

export function known(version: string): Known {
  return JSON.parse(stored(version, "known.json"));
}

/** The app of that release in a new folder, generated again by this one. */
export async function copyApp(version: string): Promise<string> {
  const root = makeAppFolder();
  for (const name of ["resources", "migrations", "storage", "service.yaml"]) {
    cpSync(join(folder, version, name), join(root, name), { recursive: true });
  }
  linkPackages(root);
  writeFileSync(join(root, "package.json"), '{ "name": "kept", "type": "module" }');
  const { problems, plan } = await generate({ root, name: null });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  writePlan(root, plan);
  return root;
}

function stored(version: string, name: string): string {
  return readFileSync(join(folder, version, name), "utf8");
}
