import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import Handlebars from "handlebars";
import { defineConfig, type Plugin } from "vite";
import { templateOptions } from "./generator/text/compile.js";

const root = import.meta.dirname;

/** Entries of the packages, by the name of the file that is made of each; their `package.json` names them. */
const entries = {
  "service-runtime": {
    app: "./runtime/app/exports.ts",
    command: "./runtime/command/service.ts",
    dashboard: "./runtime/dashboard/exports.ts",
    decoder: "./runtime/uploads/image/decoder/main.ts",
    errors: "./runtime/errors/exports.ts",
    http: "./runtime/http/exports.ts",
    "own-code": "./runtime/own-code/exports.ts",
    resource: "./runtime/resource/exports.ts",
    uploads: "./runtime/uploads/exports.ts",
    // Left out of what is published.
    "in-bundle": "./test/support/apps/in-bundle.ts",
  },
  "service-cli": {
    preload: "./bin/commands/dev/preload.ts",
    service: "./bin/service.ts",
    testing: "./bin/testing/exports.ts",
  },
};

type Package = keyof typeof entries;

/** Where the files of each package go in the end. */
const places: Readonly<Record<Package, string>> = {
  "service-runtime": join(root, "runtime/dist"),
  "service-cli": join(root, "dist"),
};
const outDir = join(root, "dist/packages");

/** The sources that a server reaches. */
const ofRuntime = new Set<string>();

// What runs of the packages. Node.js needs as long to find and open a file as to compile it, and a server that starts would
// open 600 of ours, 95 of zod and 20 of uuid. What is loaded later stays in separate files. Both packages are made at once,
// so that a process has every module of the runtime once.
export default defineConfig({
  root,
  publicDir: false,
  build: {
    outDir,
    emptyOutDir: true,
    ssr: true,
    target: "es2023",
    // A stack leads here, and a comment says where the code of each source begins.
    minify: false,
    license: { fileName: "LICENSES.md" },
    rolldownOptions: {
      input: { ...entries["service-runtime"], ...entries["service-cli"] },
      output: {
        entryFileNames: ({ name }) =>
          `${name in entries["service-cli"] ? "service-cli" : "service-runtime"}/[name].js`,
        chunkFileNames: ({ moduleIds, facadeModuleId }) => {
          // One that only passes on what another file has holds no source.
          const sources = moduleIds.length > 0 ? moduleIds : [facadeModuleId ?? "\0"];
          return join(packageOf(sources), "chunks", mainFolder(sources), "[name].js");
        },
        // Runs before the library that it loads: a file imports files of ours first, then libraries.
        codeSplitting: { groups: [{ name: "driver", test: /\/runtime\/db\/driver\.ts$/ }] },
      },
    },
  },
  ssr: { target: "node", noExternal: ["handlebars", "uuid", "zod"] },
  plugins: [compileTemplates(), findRuntime(), split()],
});

/** The templates as functions in place of the module that compiles them. */
function compileTemplates(): Plugin {
  return {
    name: "compile-templates",
    load(id) {
      if (id !== join(root, "generator/text/compile.ts")) return null;
      const names = namesIn(join(root, "templates"), ".hbs").toSorted();
      const compiled = names.map((name) => {
        const text = readFileSync(join(root, "templates", name), "utf8");
        const key = JSON.stringify(name.replace(/\.hbs$/, ""));
        return `[${key}, ${Handlebars.precompile(text, templateOptions)}]`;
      });
      return `
        import Handlebars from "handlebars/runtime.js";
        const templates = new Map([${compiled.join(",\n")}]);
        export const compile = (name) => Handlebars.template(templates.get(name));
      `;
    },
  };
}

/** Finds what the entries of the runtime import, directly or not. */
function findRuntime(): Plugin {
  return {
    name: "find-runtime",
    buildEnd() {
      const open = Object.values(entries["service-runtime"]).map((path) => join(root, path));
      for (const id of open) {
        if (ofRuntime.has(id)) continue;
        ofRuntime.add(id);
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        open.push(...importedIds, ...dynamicallyImportedIds);
      }
    },
  };
}

/** The package of a file that is made of these sources; what both use is the runtime's. */
function packageOf(sources: readonly string[]): Package {
  const own = sources.filter((source) => !source.startsWith("\0"));
  return own.every((source) => ofRuntime.has(source)) ? "service-runtime" : "service-cli";
}

/** The folder, such as `runtime/auth`, that most of the sources are in. */
function mainFolder(sources: readonly string[]): string {
  // npm leaves folders of that name out of packages. The bundler's own modules begin with a null character.
  const folders = sources.map((source) =>
    dirname(relative(root, source.replace("\0", ""))).replace(/^node_modules/, "libraries"),
  );
  const rooms = folders.map((folder) => folder.split("/").slice(0, 2).join("/"));
  const countOf = (room: string) => rooms.filter((one) => one === room).length;
  return rooms.sort((one, other) => countOf(other) - countOf(one))[0] ?? "";
}

/** Gives each package its files, with the declarations that TypeScript made before. */
function split(): Plugin {
  return {
    name: "split",
    closeBundle() {
      for (const [name, place] of Object.entries(places)) {
        const bundle = join(place, "bundle");
        rmSync(bundle, { recursive: true, force: true });
        mkdirSync(place, { recursive: true });
        renameSync(join(outDir, name), bundle);
        cpSync(join(outDir, "LICENSES.md"), join(bundle, "LICENSES.md"));
      }
      rmSync(outDir, { recursive: true });
      const command = join(places["service-cli"], "bundle");
      const scripts = namesIn(command, ".js");
      copy({ from: command, to: command, names: scripts, sign: "service-runtime/" }, "bundle");
      const types = reachedTypes(["bin/testing/exports.d.ts", ...exportedTypes()]);
      const runtimeTypes = join(places["service-runtime"], "types");
      const testTypes = join(places["service-cli"], "types/testing");
      for (const folder of [runtimeTypes, testTypes])
        rmSync(folder, { recursive: true, force: true });
      const copyTypes = (from: string, to: string, sign: string | null) =>
        copy({ from: join(root, "dist", from), to, names: below(from, types), sign }, "types");
      copyTypes("runtime", runtimeTypes, null);
      copyTypes("bin/testing", testTypes, "runtime/");
    },
  };
}

function namesIn(folder: string, end: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(end));
}

/** The declarations that the exports of the runtime's package name, relative to `dist/`. */
function exportedTypes(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, "runtime/package.json"), "utf8"));
  return Object.values<string | { types: string }>(exports).flatMap((one) =>
    typeof one === "string" ? [] : [join("runtime", relative("dist/types", one.types))],
  );
}

/** These declarations in `dist/`, and what they import: a third of all. */
function reachedTypes(starts: readonly string[]): readonly string[] {
  const reached = new Set(starts);
  for (const name of reached) {
    const text = readFileSync(join(root, "dist", name), "utf8");
    // Not what examples in comments import.
    const imports = text.replaceAll(/\/\*\*.*?\*\//gs, "").matchAll(/"(\.[^"]+)\.js"/g);
    for (const [, path] of imports) reached.add(join(dirname(name), `${path}.d.ts`));
  }
  return [...reached];
}

/** Those of the paths that are in a folder, relative to it. */
function below(folder: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => relative(folder, path)).filter((path) => !path.startsWith(".."));
}

interface Copied {
  readonly from: string;
  readonly to: string;
  /** Relative to both. */
  readonly names: readonly string[];
  /** How a path of the other package's files begins, after `../`. */
  readonly sign: string | null;
}

/** Copies files of the command line, which import those of the runtime by its package's name. */
function copy({ from, to, names, sign }: Copied, folder: "bundle" | "types"): void {
  const path = new RegExp(`"(?:\\.\\./)+${sign}`, "g");
  for (const name of names) {
    const text = readFileSync(join(from, name), "utf8");
    mkdirSync(dirname(join(to, name)), { recursive: true });
    const named = sign === null ? text : text.replace(path, `"service-runtime/dist/${folder}/`);
    writeFileSync(join(to, name), named);
  }
}
