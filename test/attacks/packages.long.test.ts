import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isAudit } from "../support/searches.js";

const root = resolve(import.meta.dirname, "../..");
const options = { cwd: root, encoding: "utf8", maxBuffer: 100_000_000 } as const;

interface Parts {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses?: readonly unknown[];
  }[];
}

test("the SBOM has every dependency of both packages, with its version and licence", () => {
  const parts: Parts = JSON.parse(execFileSync(".ci/sbom", options));
  expect([parts.bomFormat, parts.metadata.component.name]).toEqual(["CycloneDX", "service"]);
  const dependencies = ["package.json", "runtime/package.json"].flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(root, path), "utf8")).dependencies),
  );
  const names = new Set(parts.components.map(({ purl }) => nameOf(purl)));
  expect(dependencies.filter((name) => !names.has(name))).toEqual([]);
  expect(["vitest", "vite", "@biomejs/biome"].filter((name) => names.has(name))).toEqual([]);
  const unclear = parts.components.filter(
    ({ version, licenses = [] }) => version === "" || licenses.length === 0,
  );
  expect(unclear.map(({ name }) => name)).toEqual([]);
});

/** `pkg:npm/%40aws-sdk/client-s3@3.1169.0` */
function nameOf(purl: string): string {
  return decodeURIComponent(purl.replace(/^pkg:npm\//, "").replace(/@[^@]+$/, ""));
}

test.skipIf(!isAudit)("the registry knows no vulnerability in the package's dependencies", () => {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], options);
  const found = JSON.parse(stdout);
  if (found.metadata === undefined) {
    process.stderr.write(`the registry does not say: ${found.message}\n`);
    return;
  }
  const { high, critical } = found.metadata.vulnerabilities;
  expect({ high, critical }, stdout).toEqual({ high: 0, critical: 0 });
});
