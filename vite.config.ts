import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

// The dashboard's web app, into the package.
const output = join(import.meta.dirname, "runtime/dist/web");

export default defineConfig({
  root: join(import.meta.dirname, "runtime/dashboard/web"),
  // A page may lie at any depth, but its files are always here.
  base: "/",
  publicDir: false,
  build: {
    outDir: output,
    emptyOutDir: true,
    target: "es2022",
    // A picture within a style sheet would need a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // One script and one style sheet before the first paint: each more costs a slow network half a second.
      output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
      // "use client" is for servers that render React; there is none here.
      onLog: (level, log, report) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
  oxc: { jsx: { runtime: "automatic" } },
  plugins: [compressed(), referencePage()],
});

/** Compresses once, here, what every visit would ask for. */
function compressed(): Plugin {
  return {
    name: "compressed",
    closeBundle() {
      const folder = join(output, "assets");
      for (const name of readdirSync(folder)) {
        if (!/\.(?:js|css)$/.test(name)) continue;
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** Copies what `GET /_service/docs` is made of, so that apps need not install all of its package. */
function referencePage(): Plugin {
  return {
    name: "reference-page",
    closeBundle() {
      const from = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
      const to = join(import.meta.dirname, "runtime/dist/docs");
      mkdirSync(to, { recursive: true });
      const notices = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];
      for (const name of ["swagger-ui-bundle.js", "swagger-ui.css", ...notices]) {
        cpSync(join(from, name), join(to, name));
      }
    },
  };
}
