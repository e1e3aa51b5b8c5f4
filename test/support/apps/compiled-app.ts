import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { type WrittenFiles, writeApp } from "./written-app.js";

const server = `import { createApp } from "./generated/app.js";
const app = await createApp();
await app.listen();
`;

/** The file that starts the server of a compiled app, in its folder. */
export const serverFile = "server.js";

/** Writes an app of these descriptors whose servers can run as processes: Node runs no TypeScript. */
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
}
