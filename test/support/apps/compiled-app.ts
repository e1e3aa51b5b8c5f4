import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { type WrittenFiles, writeApp } from "./written-app.js";

const server = `import { createApp } from "./generated/app.js";
const app = await createApp();
await app.listen();
`;

/** Writes an app of these descriptors whose servers can run as processes by `dist/server.js`: Node runs no TypeScript. */
export async function compileApp(root: string, files: WrittenFiles): Promise<void> {
  await writeApp(root, { server, ...files });
  const generated = readdirSync(join(root, "generated"), { recursive: true, encoding: "utf8" });
  const sources = generated.map((name) => join("generated", name));
  for (const name of ["server.ts", ...sources]) {
    if (!name.endsWith(".ts") || name.endsWith(".d.ts")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(root, name), "utf8"), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    writeFileSync(join(root, name.replace(/ts$/, "js")), outputText);
  }
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/server.js"), 'import "../server.js";\n');
}
