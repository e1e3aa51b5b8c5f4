import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** A web app as the build leaves it, small enough to compare whole. */
export const webFolder = mkdtempSync(join(tmpdir(), "service-web-"));

export const script = "console.log(1);\n".repeat(100);

mkdirSync(join(webFolder, "assets"));
writeFileSync(
  join(webFolder, "index.html"),
  "<!doctype html><head><!-- brand --></head><body></body>",
);
writeFileSync(join(webFolder, "assets/main-abc12345.js"), script);
writeFileSync(join(webFolder, "assets/main-abc12345.js.br"), brotliCompressSync(script));
writeFileSync(join(webFolder, "assets/main-abc12345.js.gz"), gzipSync(script));
