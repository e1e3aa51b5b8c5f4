import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { type Outcome, service, starterApp } from "./service.js";

let root: string;
let files: string;

beforeAll(async () => {
  root = await starterApp();
  files = join(root, "files");
  mkdirSync(files);
});
afterAll(() => removeAppFolder(root));

function imported(args: readonly string[]): Promise<Outcome> {
  return service(root, ["import", ...args]);
}

function file(name: string, text: string): string {
  const path = join(files, name);
  writeFileSync(path, text);
  return path;
}

test("a usage error exits with 2, a missing name with 1, and a built app is needed", async () => {
  const csv = file("a.csv", "name\nA\n");
  for (const args of [
    ["categories"],
    ["categories", csv, csv],
    ["categories", files],
    ["categories", "data.txt"],
    ["categories", csv, "--format", "xml"],
    ["categories", csv, "--map", "name"],
    ["categories", csv, "--on-error", "go"],
    ["categories", csv, "--resume"],
    ["categories", csv, "--on-error", "skip", "--resume", "--no-resume"],
    ["categories", csv, "--errors", "x.csv"],
    ["categories", "-", "--format", "csv", "--on-error", "skip"],
    ["categories", "-", "--format", "csv", "--on-error", "skip", "--errors", "x", "--resume"],
    ["categories", csv, "--format", "json", "--spreadsheet"],
    ["categories", "data.xlsx"],
    ["categories", csv, "--encoding", "latin1"],
    ["categories", csv, "--decimal", ";"],
    ["categories", csv, "--date-format", "dd.mm.yyyy"],
    ["categories", csv, "--date-format", "DMYYYY"],
    ["categories", csv, "--date-format", "YYYY-MM-DD hh:mm"],
    ["categories", csv, "--timezone", "+02:00"],
    ["categories", csv, "--null", '"NULL'],
    ["categories", csv, "--set", "name"],
    ["categories", csv, "--set", "name=A", "--set", "name=B"],
    ["categories", csv, "--set", "name=A", "--join", "name=A+B"],
    ["categories", csv, "--values", "name=A"],
    ["categories", csv, "--values", "name:A=B", "--values", "name:A=C"],
    ["categories", csv, "--join", "name=A"],
    ["categories", csv, "--format", "ndjson", "--decimal", ","],
    ["categories", csv, "--format", "json", "--date-format", "DD.MM.YYYY"],
  ]) {
    expect(await imported(args), args.join(" ")).toMatchObject({ exitCode: 2, stdout: "" });
  }
  const workbook = await imported(["categories", "data.xlsx"]);
  expect(workbook.stderr).toContain("save the sheet as “CSV UTF-8”");
  const missing = await imported(["categories", join(files, "none.csv"), "--json"]);
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  const unbuilt = await imported(["categories", csv, "--json"]);
  expect(unbuilt).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unbuilt.stderr).toContain("npm run build");
});
