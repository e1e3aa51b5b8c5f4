import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { localTools } from "../support/processes/tools.js";

const repository = resolve(import.meta.dirname, "../..");

/** Policies of the events app that read the role of their caller without looking whether there is one. */
const policies = {
  events: ["list", "get", "stats", "create", "update", "delete"],
  messages: ["list", "create"],
  reviews: ["list", "stats", "create"],
} as const;

test("policies have a caller that may be null for exactly the public actions", async () => {
  // Within the app, so that its compiler settings and imports hold.
  const folder = mkdtempSync(join(repository, "fixtures/apps/events/own-"));
  try {
    const actions = Object.entries(policies).flatMap(([resource, names]) =>
      names.map((action) => ({ resource, action })),
    );
    const text = [
      'import { createApp } from "../generated/app.js";',
      ...actions.map(
        ({ resource, action }) =>
          `await createApp({ policies: { ${resource}: { ${action}: (caller) => caller.role === "admin" } } });`,
      ),
      'await createApp({ policies: { events: { get: (caller) => caller?.role !== "guest" } } });',
    ].join("\n");
    writeFileSync(join(folder, "server.ts"), text);
    const config = { extends: "../tsconfig.json", include: ["server.ts"] };
    const compilerOptions = { noEmit: true, rootDir: ".." };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, compilerOptions }));
    const options = { ...localTools, cwd: repository, reject: false } as const;
    const { stdout } = await execa("tsc", ["-p", folder, "--singleThreaded"], options);
    const refused = [
      ...stdout.matchAll(/server\.ts\((\d+),\d+\): error TS18047: 'caller' is possibly 'null'/g),
    ];
    expect(stdout.split("\n").filter((line) => line.includes("error"))).toHaveLength(
      refused.length,
    );
    expect(refused.map(([, line]) => actions[Number(line) - 2])).toEqual([
      { resource: "events", action: "list" },
      { resource: "events", action: "get" },
      { resource: "messages", action: "create" },
      { resource: "reviews", action: "list" },
      { resource: "reviews", action: "create" },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
