import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Where a pattern is in the files below these folders: `path: what was found`. */
function found(folders: readonly string[], pattern: RegExp): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /^(?!dist\/|node_modules\/).*\.(?:[cm]?[jt]sx?|hbs)$/.test(name))
      .flatMap((name) => {
        const match = pattern.exec(readFileSync(join(root, folder, name), "utf8"));
        return match === null ? [] : [`${folder}/${name}: ${match[0]}`];
      }),
  );
}

const sources = ["bin", "generator", "runtime", "templates"];
const emitted = ["fixtures/apps", "fixtures/names", "fixtures/cases"];

const codeOfText =
  /\beval\s*\(|\bnew Function\b|[^.\w]Function\(|from "node:vm"|set(?:Timeout|Interval)\(["'`]/;

test("no shipped or emitted code evaluates text", () => {
  expect(found([...sources, ...emitted], codeOfText)).toEqual([]);
  for (const text of ['eval("1")', "new Function(text)", 'import vm from "node:vm"']) {
    expect(codeOfText.test(text)).toBe(true);
  }
});

test("no server runs a command, and the tool's commands get a list of arguments", () => {
  const starting = found(["runtime"], /["'](?:node:)?child_process["']/);
  // Pictures are decoded in a process of their own, which runs a module of the package.
  expect(starting.filter((one) => !one.startsWith("runtime/command/"))).toEqual([
    'runtime/uploads/image/decoder/child.ts: "node:child_process"',
  ]);
  expect(found(sources, /\bexec(?:Sync)?\(["'`]|\bshell: true/)).toEqual([]);
});

test("no secret comes from Math.random", () => {
  const files = found(sources, /Math\.random/).map((one) => one.replace(/:.*/, ""));
  // Pauses between tries, and how often something is looked after.
  expect(files.toSorted()).toEqual([
    "runtime/dashboard/web/api/changes/stream.ts",
    "runtime/db/pool/pool.ts",
    "runtime/jobs/run/pauses.ts",
    "runtime/migrate/run/lock-retry.ts",
    "runtime/resource/idempotency/bound.ts",
    "runtime/webhooks/send/pauses.ts",
    "templates/generated/client/stream.ts",
  ]);
});
