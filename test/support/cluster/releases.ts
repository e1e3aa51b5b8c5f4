import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { generate } from "../../../generator/generate.js";
import { writePlan } from "../../../generator/output/write.js";
import { formatProblem } from "../../../runtime/values/problem.js";
import { makeAppFolder } from "../apps/app-folder.js";
import { linkPackages } from "../apps/link-packages.js";
import { localTools } from "../processes/tools.js";

const repository = resolve(import.meta.dirname, "../../..");
const shop = join(repository, "fixtures/apps/shop");

const server = `import { createApp } from "./generated/app.js";
const app = await createApp();
await app.listen();
`;

/** The shop, built, in a separate folder with this `service.yaml`. */
export async function buildShop(settings: string): Promise<string> {
  const root = copySources(settings);
  await build(root);
  return root;
}

/** The next release of the shop, which has one field of products more, and so a migration. */
export async function buildNextShop(settings: string): Promise<string> {
  const root = copySources(settings);
  const file = join(root, "resources/products.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}  origin: { type: string, maxLength: 60 }\n`);
  const { problems, plan } = await generate({ root, name: null });
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join("\n"));
  writePlan(root, plan);
  await build(root);
  return root;
}

function copySources(settings: string): string {
  const root = makeAppFolder();
  for (const part of ["generated", "migrations", "resources"]) {
    cpSync(join(shop, part), join(root, part), { recursive: true });
  }
  writeFileSync(join(root, "server.ts"), server);
  writeFileSync(join(root, "service.yaml"), settings);
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  linkPackages(root, ["@types"]);
  return root;
}

async function build(root: string): Promise<void> {
  cpSync(join(shop, "tsconfig.json"), join(root, "tsconfig.json"));
  await execa("tsc", ["-p", root, "--singleThreaded"], { ...localTools, cwd: repository });
}
