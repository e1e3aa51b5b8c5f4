import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generate } from "../../../generator/generate.js";
import { writePlan } from "../../../generator/output/write.js";
import { makeAppFolder } from "./app-folder.js";

/** An app whose only migration creates the table `tasks` with the column `title`. */
export async function makeTasksApp(): Promise<string> {
  const root = makeAppFolder();
  describeResource(root, "tasks");
  await generateInto(root);
  return root;
}

export function describeResource(root: string, name: string): void {
  mkdirSync(join(root, "resources"), { recursive: true });
  write(root, `resources/${name}.yaml`, "fields:\n  title: { type: string }\n");
}

export async function generateInto(root: string): Promise<void> {
  const { problems, plan } = await generate({ root, name: null });
  expect(problems).toEqual([]);
  writePlan(root, plan);
}

/** What `generate` refuses; it writes nothing then. */
export async function problemsOf(root: string) {
  const { problems, plan, migration } = await generate({ root, name: null });
  expect({ plan, migration }).toEqual({
    plan: { writes: [], removals: [], edited: [] },
    migration: null,
  });
  return problems;
}

/** At the file's beginning, with a hint that contains that. */
export function problem(file: string, message: string, hint: string) {
  return { file, line: 1, column: 1, message, hint: expect.stringContaining(hint) };
}

/** Migration without SQL. */
export function writeMigration(root: string, name: string, changes: readonly object[]): void {
  writeRecord(root, name, { changes });
}

/** Of a migration without any SQL. */
export function writeRecord(root: string, name: string, record: unknown): void {
  write(root, `migrations/${name}.sql`, "");
  write(root, `migrations/${name}.json`, JSON.stringify(record));
}

export function write(root: string, path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

export function read(root: string, path: string): string {
  return readFileSync(join(root, path), "utf8");
}
