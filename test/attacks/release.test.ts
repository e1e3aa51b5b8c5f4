import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Workflow {
  readonly on: unknown;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions: object;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

test("a release is published with its provenance and its SBOM", () => {
  const workflow: Workflow = parse(read(".github/workflows/release.yml"));
  expect(workflow.on).toEqual({ push: { tags: ["v*"] } });
  expect([workflow.permissions, Object.keys(workflow.jobs)]).toEqual([{}, ["publish"]]);
  const { permissions, steps } = workflow.jobs.publish ?? expect.unreachable();
  expect(permissions).toEqual({ contents: "write", "id-token": "write" });
  // An action of others would run with these rights, and change with its tag.
  expect(steps.filter(({ uses }) => uses !== undefined)).toEqual([]);
  const commands = [
    "git checkout --quiet FETCH_HEAD",
    `= "$GITHUB_REF_NAME"`,
    ".ci/run",
    "npm audit --omit=dev --audit-level=high",
    '.ci/sbom > "$RUNNER_TEMP/service.cdx.json"',
    `both="--workspaces --include-workspace-root"`,
    "npm publish $both --provenance",
    '"@$RUNNER_TEMP/service.cdx.json"',
  ];
  const run = steps.map((step) => step.run ?? "").join("\n");
  const places = commands.map((command) => run.indexOf(command));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(read(".github/workflows/release.yml")).not.toMatch(/secrets\./);
});

test("SECURITY.md says how to report, how soon we answer, and when fixes come", () => {
  const text = read(".github/SECURITY.md");
  for (const words of [
    "Report a vulnerability",
    "within three working days",
    "a release within 7 days",
    "npm audit signatures",
  ]) {
    expect(text).toContain(words);
  }
  expect(read("README.md")).toContain("](.github/SECURITY.md)");
});
