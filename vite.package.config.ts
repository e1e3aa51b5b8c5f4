import { dirname, join, relative } from "node:path";
import { defineConfig } from "vite";

/** Entries of the package, by the name of the file that is made of each; `package.json` names them. */
const entries = {
  app: "./runtime/app/exports.ts",
  command: "./runtime/command/service.ts",
  dashboard: "./runtime/dashboard/exports.ts",
  decoder: "./runtime/uploads/image/decoder/main.ts",
  errors: "./runtime/errors/exports.ts",
  http: "./runtime/http/exports.ts",
  "own-code": "./runtime/own-code/exports.ts",
  preload: "./bin/commands/dev/preload.ts",
  resource: "./runtime/resource/exports.ts",
  service: "./bin/service.ts",
  testing: "./bin/testing/exports.ts",
  uploads: "./runtime/uploads/exports.ts",
  // Left out of what is published.
  "in-bundle": "./test/support/apps/in-bundle.ts",
};

// What runs of the package. Node.js needs as long to find and open a file as to compile it, and a server that starts would
// open 600 of ours, 95 of zod and 20 of uuid. What is loaded later stays in files of its own.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: "dist/bundle",
    emptyOutDir: true,
    ssr: true,
    target: "es2023",
    // A stack leads here, and a comment says where the code of each source begins.
    minify: false,
    license: { fileName: "LICENSES.md" },
    rolldownOptions: {
      input: entries,
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: ({ moduleIds }) => join("chunks", mainFolder(moduleIds), "[name].js"),
        // Runs before the library that it loads: a file imports files of ours first, then libraries.
        codeSplitting: { groups: [{ name: "driver", test: /\/runtime\/db\/driver\.ts$/ }] },
      },
    },
  },
  ssr: { target: "node", noExternal: ["uuid", "zod"] },
});

/** The folder, such as `runtime/auth`, that most of the sources are in. */
function mainFolder(sources: readonly string[]): string {
  const folders = sources.map((source) => dirname(relative(import.meta.dirname, source)));
  const rooms = folders.map((folder) => folder.split("/").slice(0, 2).join("/"));
  const countOf = (room: string) => rooms.filter((one) => one === room).length;
  return rooms.sort((one, other) => countOf(other) - countOf(one))[0] ?? "";
}
