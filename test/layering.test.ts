import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The top-level folders of the package's own code, and those each may import from. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: ["bin", "generator", "runtime"],
  generator: ["generator", "runtime"],
  runtime: ["runtime"],
};

/** The runtime's rooms, lowest first; rooms of one storey are strangers to each other. */
const storeys = [
  ["values"],
  ["errors", "config", "clock"],
  ["db", "secret", "queue"],
  ["mail", "migrate"],
  ["services"],
  ["http"],
  ["resource", "uploads", "auth"],
  ["dashboard"],
  ["app"],
];

/** The generator's rooms, lowest first. */
const stages = [
  ["text"],
  ["kind"],
  ["model"],
  ["descriptor"],
  ["resolve"],
  ["schema/tables"],
  ["schema/changes"],
  ["schema/sql", "schema/history"],
  ["emit"],
  ["output"],
  ["migration"],
];

/** The rooms of accounts, from the ground to the methods. */
const authRooms = [
  ["token", "limit"],
  ["account"],
  ["password"],
  ["mailed"],
  ["session"],
  ["profile", "methods", "second-step", "operator"],
];

/** Rooms of the runtime that are divided: their own rooms, lowest first. What is in none stands above all. */
const dividedRooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  http: [["route"], ["request", "answer"], ["connections"], ["own"]],
  uploads: [
    ["storage", "inspect", "image"],
    ["objects"],
    ["receive", "serve", "prune", "reprocess"],
  ],
  "uploads/image": [["rules"], ["colours"], ["preflight"], ["pixels"], ["decoder"]],
};

/** The rooms of migrating, lowest first. */
const migrateRooms = [["files", "session"], ["history"], ["run", "drift"]];

interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files = ["bin", "generator", "runtime"].flatMap(sourceFiles);

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
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

function room(path: string): string {
  return path.split("/")[1] ?? "";
}

function storey(path: string): number {
  return storeys.findIndex((rooms) => rooms.includes(room(path)));
}

/** `kind`, or `schema/sql`; null outside the generator's rooms. */
function stageName(path: string): string | null {
  return /^generator\/(schema\/[^/]+|[^/]+)\/[^/]+$/.exec(path)?.[1] ?? null;
}

function stage(name: string): number {
  return stages.findIndex((rooms) => rooms.includes(name));
}

function violations(rule: (from: SourceFile, to: string) => boolean): string[] {
  return files.flatMap((file) =>
    file.imports.filter((to) => !rule(file, to)).map((to) => `${file.path} → ${to}`),
  );
}

describe("layering", () => {
  test("finds imports at all", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(100);
  });

  test("imports go only where the folders' arrows point", () => {
    const allowed = (from: SourceFile, to: string) =>
      arrows[from.path.split("/")[0] ?? ""]?.includes(to.split("/")[0] ?? "") ?? false;
    expect(violations(allowed)).toEqual([]);
  });

  test("the generator imports one room of the runtime, its pure rules on values", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("generator/") || !to.startsWith("runtime/") || room(to) === "values";
    expect(violations(allowed)).toEqual([]);
  });

  test("rules on values need nothing of the package", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("runtime/values/") || to.startsWith("runtime/values/");
    expect(violations(allowed)).toEqual([]);
  });

  test("every room of the runtime has a storey", () => {
    const rooms = new Set(
      files.filter(({ path }) => path.startsWith("runtime/")).map(({ path }) => room(path)),
    );
    expect([...rooms].filter((name) => !storeys.flat().includes(name))).toEqual([]);
  });

  test("a room of the runtime imports only lower storeys", () => {
    const allowed = ({ path }: SourceFile, to: string) =>
      !path.startsWith("runtime/") || room(path) === room(to) || storey(to) < storey(path);
    expect(violations(allowed)).toEqual([]);
  });

  test("a room is entered by its door, and nobody inside uses it", () => {
    const allowed = ({ path }: SourceFile, to: string) => {
      // Rules on values have no door: each file is one.
      if (!to.startsWith("runtime/") || room(to) === "values") return true;
      const inside = path.startsWith("runtime/") && room(path) === room(to);
      const isDoor = to === `runtime/${room(to)}/index.ts`;
      return inside ? !isDoor : isDoor;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("every room of the generator has a stage", () => {
    const rooms = files.map(({ path }) => stageName(path)).filter((name) => name !== null);
    expect([...new Set(rooms)].filter((name) => !stages.flat().includes(name))).toEqual([]);
  });

  test("a room of the generator imports only earlier stages", () => {
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

  test("rooms of accounts import only what stands below them", () => {
    const floor = (path: string) => {
      const name = /^runtime\/auth\/([^/]+)\//.exec(path)?.[1];
      return name === undefined ? null : authRooms.findIndex((rooms) => rooms.includes(name));
    };
    const name = (path: string) => path.split("/")[2];
    const allowed = ({ path }: SourceFile, to: string) => {
      const [own, other] = [floor(path), floor(to)];
      if (own === null || other === null || name(path) === name(to)) return true;
      return own >= 0 && other >= 0 && other < own;
    };
    expect(violations(allowed)).toEqual([]);
  });

  test.each(Object.entries(dividedRooms))(
    "the rooms of runtime/%s import only lower ones",
    (folder, rooms) => {
      const below = (path: string) => path.slice(`runtime/${folder}/`.length).split("/");
      const floor = (path: string) => {
        const [name = "", ...rest] = below(path);
        return rest.length === 0 ? rooms.length : rooms.findIndex((names) => names.includes(name));
      };
      const inside = files.filter(({ path }) => path.startsWith(`runtime/${folder}/`));
      expect(inside.filter(({ path }) => floor(path) < 0).map(({ path }) => path)).toEqual([]);
      const allowed = ({ path }: SourceFile, to: string) => {
        const isInside = (one: string) => one.startsWith(`runtime/${folder}/`);
        if (!isInside(path) || !isInside(to)) return true;
        const isSame = below(path).length > 1 && below(path)[0] === below(to)[0];
        return isSame || floor(to) < floor(path) || floor(path) === rooms.length;
      };
      expect(violations(allowed)).toEqual([]);
    },
  );

  test("rooms of migrating import only lower ones, and the error that all throw", () => {
    const roomOf = (path: string) => /^runtime\/migrate\/([^/]+)\//.exec(path)?.[1];
    const floor = (path: string) =>
      migrateRooms.findIndex((rooms) => rooms.includes(roomOf(path) ?? ""));
    const allowed = ({ path }: SourceFile, to: string) => {
      if (roomOf(path) === undefined || !to.startsWith("runtime/migrate/")) return true;
      if (roomOf(path) === roomOf(to)) return true;
      if (roomOf(to) === undefined) return to === "runtime/migrate/error.ts";
      return floor(to) >= 0 && floor(to) < floor(path);
    };
    expect(violations(allowed)).toEqual([]);
  });

  test("there is no cycle of imports", () => {
    expect(cycles()).toEqual([]);
  });

  test.each([
    [
      "the generator has one writer",
      /\b(writeFile|mkdir|rename|rmdir|rm)(Sync)?\(/,
      "generator/",
      ["generator/output/write.ts"],
    ],
    [
      "there is one door to a session",
      /insert into service\.sessions/,
      "runtime/",
      ["runtime/auth/session/store.ts"],
    ],
    [
      "the environment is read in one room",
      /process\.env/,
      "runtime/",
      ["runtime/config/environment.ts"],
    ],
    [
      "the present time has one source",
      /Date\.now\(\)|new Date\(\)/,
      "runtime/",
      ["runtime/clock/index.ts"],
    ],
    [
      "only bin's report prints, a server that is refused its start, and its mails in development",
      /process\.(?:stdout|stderr)|console\.(?:log|error|warn|info)/,
      "",
      ["bin/report.ts", "runtime/app/start.ts", "runtime/mail/mailer.ts"],
    ],
    [
      "only bin knows the command line",
      /process\.argv|picocolors/,
      "",
      ["bin/service.ts", "bin/report.ts"],
    ],
  ])("%s", (_, pattern, below, expected) => {
    const found = files.filter(({ path, text }) => path.startsWith(below) && pattern.test(text));
    expect(found.map(({ path }) => path).filter((path) => !expected.includes(path))).toEqual([]);
  });
});

function cycles(): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push([...trail.slice(at), path].join(" → "));
    if (at >= 0 || done.has(path)) return;
    for (const to of byPath.get(path)?.imports ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
}
