import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importCycles } from "./support/import-cycles.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The top-level folders of the package's own code, and those each may import from. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: ["bin", "generator", "runtime"],
  generator: ["generator", "runtime"],
  runtime: ["runtime"],
};

/** The runtime's modules by layer, lowest first; modules of one layer do not import each other. */
const layers = [
  ["values", "loading", "messages"],
  ["errors", "config", "clock", "request", "polling"],
  ["db", "secret", "queue", "dial"],
  ["jobs", "mail", "migrate"],
  ["own-code"],
  ["http"],
  ["resource", "uploads", "auth"],
  ["dashboard", "mcp", "data", "changes", "views", "home"],
  ["backup", "webhooks", "operation"],
  ["app"],
  ["command"],
];

/** The generator's modules, in the order of its stages. */
const stages = [
  ["text"],
  ["expression"],
  ["kind"],
  ["model"],
  ["descriptor"],
  ["resolve"],
  ["schema/tables"],
  ["schema/changes"],
  ["schema/sql"],
  ["emit"],
  ["describe"],
  ["client"],
  ["output"],
  ["migration"],
  ["adopt"],
];

/** Folders and files of both halves of the command line, and those of the same half that each may import besides its own. */
const commandLine: Readonly<Record<string, readonly string[]>> = {
  "bin/service.ts": ["bin/program.ts"],
  "bin/program.ts": ["bin/commands", "bin/embedded", "bin/failure.ts", "bin/help"],
  "bin/commands": ["bin/app", "bin/embedded", "bin/failure.ts"],
  "bin/failure.ts": [],
  "bin/help": [],
  "bin/app": [],
  "bin/embedded": [],
  "bin/testing": ["bin/embedded"],
  "runtime/command/service.ts": [
    "runtime/command/beside.ts",
    "runtime/command/program.ts",
    "runtime/command/report.ts",
  ],
  "runtime/command/beside.ts": [],
  "runtime/command/of-cli.ts": ["runtime/command/exit.ts"],
  "runtime/command/program.ts": [
    "runtime/command/GROUP",
    "runtime/command/app",
    "runtime/command/exit.ts",
    "runtime/command/failure.ts",
    "runtime/command/help",
    "runtime/command/of-cli.ts",
    "runtime/command/report.ts",
  ],
  "runtime/command/GROUP": [
    "runtime/command/app",
    "runtime/command/destination.ts",
    "runtime/command/exit.ts",
    "runtime/command/progress.ts",
    "runtime/command/report.ts",
  ],
  "runtime/command/destination.ts": ["runtime/command/exit.ts", "runtime/command/report.ts"],
  "runtime/command/failure.ts": ["runtime/command/exit.ts", "runtime/command/report.ts"],
  "runtime/command/help": [],
  "runtime/command/progress.ts": ["runtime/command/report.ts"],
  "runtime/command/report.ts": ["runtime/command/app"],
  "runtime/command/app": ["runtime/command/exit.ts"],
  "runtime/command/exit.ts": [],
};

/** Where a file of the command line is in that table; null for any other file. */
function placeInCommandLine(path: string): string | null {
  const place = /^(?:bin|runtime\/command)\/[^/]+/.exec(path)?.[0] ?? null;
  return place === null || groupOf(path) === null
    ? place
    : place.replace(/(?<=command\/).*/, "GROUP");
}

/** The group of commands that a file belongs to. */
function groupOf(path: string): string | null {
  const group = /^(?:bin\/commands|runtime\/command)\/([^/]+)\//.exec(path)?.[1] ?? null;
  return group === "app" || group === "help" ? null : group;
}

/** The groups of commands that use others. */
const usedGroups: Readonly<Record<string, readonly string[]>> = {
  adopt: ["generate"],
  backup: ["user"],
  dev: ["generate", "seed"],
  doctor: ["migrate"],
  token: ["user"],
};

/** The modules of accounts by layer, lowest first. */
const authLayers = [
  ["token", "limit", "event"],
  ["account"],
  ["password"],
  ["mailed"],
  ["identity"],
  ["session"],
  ["service-token"],
  ["profile", "methods", "second-step", "operator", "apps"],
];

/** Modules that are divided, with the layers within, lowest first. Files beside these may import all of them. */
const dividedModules: Readonly<Record<string, readonly (readonly string[])[]>> = {
  app: [["jobs"], ["start"], ["routes", "processes"]],
  backup: [["archive"], ["tables"], ["save", "restore"]],
  changes: [["log"], ["stream", "history"]],
  config: [["shape", "result"], ["environment"], ["file"], ["read"]],
  dashboard: [["session", "pages"], ["forward"]],
  db: [["statement"], ["connection"], ["pool", "pipeline"], ["run"]],
  http: [["route"], ["request", "answer"], ["connections"], ["limits"], ["app-routes"]],
  jobs: [["calendar"], ["job"], ["store"], ["run"]],
  mail: [["letter"], ["queue"], ["send"]],
  operation: [["status", "health"], ["metrics"]],
  uploads: [
    ["storage", "inspect", "image"],
    ["objects"],
    ["sign"],
    ["receive", "serve", "reprocess"],
    ["resumable"],
    ["prune"],
    ["move", "archive"],
  ],
  webhooks: [["store"], ["send"], ["fan-out", "routes"]],
  resource: [
    ["table", "time-zone"],
    ["own-code", "rights"],
    ["query"],
    ["record", "watch", "adopted"],
    ["list"],
    ["numbers"],
    ["hooks", "idempotency"],
    ["write"],
    ["batch", "app-resources", "endpoints", "trash", "words"],
    ["transfer"],
  ],
  "uploads/image": [["rules"], ["colours"], ["preflight"], ["pixels"], ["decoder"]],
};

/** Where the steps of a write are defined, besides the function that runs them. */
const preparing = [
  "runtime/resource/write/prepare.ts",
  "runtime/resource/write/group/found.ts",
  "runtime/resource/write/refused/explain.ts",
];

/** One file for each kind of field, which is a table of contents however many there are. */
const kinds = "generator/kind";

/** The layers of migrating, lowest first. */
const migrateLayers = [["files", "session"], ["history"], ["run", "drift"]];

interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** The dashboard's web app runs in browsers and has layers of its own: `test/web-layering.test.ts`. */
const web = "runtime/dashboard/web/";

const files = ["bin", "generator", "runtime"].flatMap(sourceFiles);

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("dist/"))
    .filter((name) => !`${folder}/${name}`.startsWith(web))
    .map((name) => {
      const path = `${folder}/${name}`;
      const text = readFileSync(join(root, path), "utf8");
      const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g);
      const imports = [...found].map(
        ([, to = ""]) => `${relative(root, join(root, dirname(path), to))}.ts`,
      );
      return { path, text, imports };
    });
}

function moduleName(path: string): string {
  return path.split("/")[1] ?? "";
}

function layerOf(path: string): number {
  return layers.findIndex((modules) => modules.includes(moduleName(path)));
}

/** `kind`, or `schema/sql`; null outside the generator's modules. */
function stageName(path: string): string | null {
  return /^generator\/(schema\/[^/]+|(?!schema\/)[^/]+)\//.exec(path)?.[1] ?? null;
}

function stage(name: string): number {
  return stages.findIndex((modules) => modules.includes(name));
}

function violations(rule: (from: SourceFile, to: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.imports.filter((to) => !rule(file, to)).map((to) => `${file.path} → ${to}`),
  );
}

describe("layering", () => {
  test("finds imports", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  });

  test("imports go only where the folders' arrows point", () => {
    const allowed = (from: SourceFile, to: string) =>
      arrows[from.path.split("/")[0] ?? ""]?.includes(to.split("/")[0] ?? "") ?? false;
    expect(violations(allowed)).toEqual([]);
  });

  test("the command line's folders import one way", () => {
    const half = (place: string) => place.split("/")[0];
    const allowed = ({ path }: SourceFile, to: string) => {
      const [own, other] = [placeInCommandLine(path), placeInCommandLine(to)];
      if (own === null || other === null || own === other || half(own) !== half(other)) return true;
      return commandLine[own]?.includes(other) ?? false;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("a group of commands imports no other, except the listed ones", () => {
    const allowed = ({ path }: SourceFile, to: string) => {
      const [own, other] = [groupOf(path), groupOf(to)];
      if (own === null || other === null || own === other) return true;
      return usedGroups[own]?.includes(other) ?? false;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("the runtime's commands need nothing of bin, generator and templates", () => {
    const own = files.filter(({ path }) => path.startsWith("runtime/command/"));
    expect(own.length).toBeGreaterThan(50);
    const named = own.filter(({ text }) => /"[./]*(?:bin|generator|templates)\//.test(text));
    expect(named.map(({ path }) => path)).toEqual([]);
  });

  test("the generator imports one module of the runtime, its pure rules on values", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("generator/") || !to.startsWith("runtime/") || moduleName(to) === "values";
    expect(violations(allowed)).toEqual([]);
  });

  test("rules on values need nothing of the package", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("runtime/values/") || to.startsWith("runtime/values/");
    expect(violations(allowed)).toEqual([]);
  });

  test("every module of the runtime has a layer", () => {
    const modules = new Set(
      files.filter(({ path }) => path.startsWith("runtime/")).map(({ path }) => moduleName(path)),
    );
    expect([...modules].filter((name) => !layers.flat().includes(name))).toEqual([]);
  });

  test("a module of the runtime imports only lower layers", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("runtime/") ||
      moduleName(path) === moduleName(to) ||
      layerOf(to) < layerOf(path);
    expect(violations(allowed)).toEqual([]);
  });

  test("a module is imported only by its index.ts, at-start.ts or lenient.ts, which no file inside imports", () => {
    const allowed = ({ path }: SourceFile, to: string) => {
      // The other half of the command line is in bin.
      if (path.startsWith("bin/") && moduleName(to) === "command") return true;
      // Rules on values have no index.ts: each file is imported by itself. What a server needs at its start of a module
      // that holds much more is in its at-start.ts; the settings that `generate` reads are in lenient.ts.
      if (!to.startsWith("runtime/") || moduleName(to) === "values") return true;
      const inside = path.startsWith("runtime/") && moduleName(path) === moduleName(to);
      const isDoor = /^runtime\/[^/]+\/(?:index|at-start|lenient)\.ts$/.test(to);
      return inside ? !isDoor : isDoor;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("every module of the generator has a stage", () => {
    const modules = files.map(({ path }) => stageName(path)).filter((name) => name !== null);
    expect([...new Set(modules)].filter((name) => !stages.flat().includes(name))).toEqual([]);
  });

  test("a module of the generator imports only earlier stages", () => {
    const allowed = ({ path }: SourceFile, to: string) => {
      const [own, other] = [stageName(path), stageName(to)];
      return own === null || other === null || own === other || stage(other) < stage(own);
    };
    expect(violations(allowed)).toEqual([]);
  });

  test.each([["schema"], ["emit"], ["output"]])(
    "the generator's %s/ reads no descriptors",
    (own) => {
      const allowed = ({ path }: SourceFile, to: string) =>
        !path.startsWith(`generator/${own}/`) || !/^generator\/(descriptor|resolve)\//.test(to);
      expect(violations(allowed)).toEqual([]);
    },
  );

  test("sign-in methods and second steps never import each other", () => {
    const method = (path: string) =>
      /^runtime\/auth\/(methods|second-step)\/([^/]+)\//.exec(path)?.[2];
    const allowed = ({ path }: SourceFile, to: string) =>
      method(path) === undefined || method(to) === undefined || method(path) === method(to);
    expect(violations(allowed)).toEqual([]);
  });

  test("modules of accounts import only lower layers", () => {
    const layer = (path: string) => {
      const name = /^runtime\/auth\/([^/]+)\//.exec(path)?.[1];
      return name === undefined ? null : authLayers.findIndex((modules) => modules.includes(name));
    };
    const name = (path: string) => path.split("/")[2];
    const allowed = ({ path }: SourceFile, to: string) => {
      const [own, other] = [layer(path), layer(to)];
      if (own === null || other === null || name(path) === name(to)) return true;
      return own >= 0 && other >= 0 && other < own;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test.each(Object.entries(dividedModules))(
    "the modules of runtime/%s import only lower ones",
    (folder, modules) => {
      const below = (path: string) => path.slice(`runtime/${folder}/`.length).split("/");
      const layer = (path: string) => {
        const [name = "", ...rest] = below(path);
        return rest.length === 0
          ? modules.length
          : modules.findIndex((names) => names.includes(name));
      };
      const inside = files.filter(({ path }) => path.startsWith(`runtime/${folder}/`));
      expect(inside.filter(({ path }) => layer(path) < 0).map(({ path }) => path)).toEqual([]);
      const allowed = ({ path }: SourceFile, to: string) => {
        const isInside = (one: string) => one.startsWith(`runtime/${folder}/`);
        if (!isInside(path) || !isInside(to)) return true;
        const isSame = below(path).length > 1 && below(path)[0] === below(to)[0];
        return isSame || layer(to) < layer(path) || layer(path) === modules.length;
      };
      expect(violations(allowed)).toEqual([]);
    },
  );

  test("no folder has more files than a table of contents", () => {
    const counts = new Map<string, number>();
    for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    const crowded = [...counts].filter(([folder, count]) => count > 14 && folder !== kinds);
    expect(crowded).toEqual([]);
  });

  test("no file is longer than 250 lines", () => {
    const long = files.filter(({ text }) => text.trimEnd().split("\n").length > 250);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("half of the files of resources have fewer than 90 lines", () => {
    const lengths = files
      .filter(({ path }) => path.startsWith("runtime/resource/"))
      .map(({ text }) => text.trimEnd().split("\n").length)
      .toSorted((a, b) => a - b);
    expect(lengths[lengths.length >> 1]).toBeLessThan(90);
  });

  test("only files that other modules import are beside the folders of resources", () => {
    const loose = files
      .map(({ path }) => path)
      .filter((path) => /^runtime\/resource\/[^/]+$/.test(path));
    expect(loose).toEqual(["runtime/resource/exports.ts", "runtime/resource/index.ts"]);
  });

  test("modules of migrating import only lower ones, and the error that all throw", () => {
    const moduleOf = (path: string) => /^runtime\/migrate\/([^/]+)\//.exec(path)?.[1];
    const layer = (path: string) =>
      migrateLayers.findIndex((modules) => modules.includes(moduleOf(path) ?? ""));
    const allowed = ({ path }: SourceFile, to: string) => {
      if (moduleOf(path) === undefined || !to.startsWith("runtime/migrate/")) return true;
      if (moduleOf(path) === moduleOf(to)) return true;
      if (moduleOf(to) === undefined) return to === "runtime/migrate/error.ts";
      return layer(to) >= 0 && layer(to) < layer(path);
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("there is no cycle of imports", () => {
    expect(importCycles(files)).toEqual([]);
  });

  test.each([
    [
      "the generator has one writer",
      /\b(writeFile|mkdir|rename|rmdir|rm)(Sync)?\(/,
      "generator/",
      ["generator/output/write.ts"],
    ],
    [
      "one function creates sessions",
      /insert into service\.sessions/,
      "runtime/",
      ["runtime/auth/session/insert.ts"],
    ],
    [
      "one function prepares writes and explains why they were refused",
      /\b(prepareWrite|explainRefusal)\(/,
      "runtime/resource/",
      ["runtime/resource/write/run.ts", ...preparing],
    ],
    [
      "that function stores writes, and nothing else does",
      /\bstoreWrite\b/,
      "runtime/resource/",
      [
        "runtime/resource/write/store.ts",
        "runtime/resource/write/group/found.ts",
        "runtime/resource/write/join/concurrent.ts",
      ],
    ],
    [
      "resources never search or replace in SQL; they escape values and split answers only",
      /\.(replace|replaceAll)\(/,
      "runtime/resource/",
      [
        "runtime/resource/table/kinds/enum.ts",
        "runtime/resource/query/predicate.ts",
        "runtime/resource/record/tag.ts",
        "runtime/resource/transfer/copy-cell.ts",
      ],
    ],
    [
      "the environment is read in one module",
      /process\.env/,
      "runtime/",
      // psql gets what this process has.
      ["runtime/config/environment/environment.ts", "runtime/command/db/installed-psql.ts"],
    ],
    [
      "async context is entered where app code begins, in savepoints, and in tests",
      /AsyncLocalStorage/,
      "runtime/",
      [
        "runtime/own-code/scope.ts",
        "runtime/db/pool/savepoints.ts",
        "runtime/app/start/test-setup.ts",
      ],
    ],
    [
      "the present time has one source",
      /Date\.now\(\)|new Date\(\)/,
      "runtime/",
      ["runtime/clock/index.ts"],
    ],
    [
      "only the report prints, a server that is refused its start, and its mails in development",
      /process\.(?:stdout|stderr)|console\.(?:log|error|warn|info)/,
      "",
      ["runtime/command/report.ts", "runtime/app/start/start-or-exit.ts", "runtime/mail/mailer.ts"],
    ],
    [
      "only what starts knows the command line, and the report colours",
      /process\.argv|styleText/,
      "",
      ["bin/service.ts", "runtime/command/service.ts", "runtime/command/report.ts"],
    ],
  ])("%s", (_, pattern, below, expected) => {
    const found = files.filter(({ path, text }) => path.startsWith(below) && pattern.test(text));
    expect(found.map(({ path }) => path).filter((path) => !expected.includes(path))).toEqual([]);
  });
});
