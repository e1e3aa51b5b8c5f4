import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { inject } from "vitest";
import { startEmbedded } from "../../../bin/embedded/load.js";
import { createAccount } from "../../../runtime/auth/index.js";
import { systemClock } from "../../../runtime/clock/index.js";
import { readConfig } from "../../../runtime/config/index.js";
import { openDatabase } from "../../../runtime/db/index.js";
import { migrate } from "../../../runtime/migrate/index.js";
import { onceARun } from "../database/database.js";
import { copyWithData } from "../database/embedded-data.js";
import { localTools } from "../processes/tools.js";
import { makeAppFolder, removeAppFolder } from "./app-folder.js";
import { linkPackages } from "./link-packages.js";

const repository = resolve(import.meta.dirname, "../../..");
const shop = join(repository, "fixtures/apps/shop");

/** The only account of a copied shop, with the role `admin`. */
export const account = { email: "admin@example.com", password: "a password of the tests" };

/**
 * A new app folder with the compiled shop and the data of a migrated PostgreSQL of its own, which does
 * not run. All of them are copies of one that is made once a run.
 */
export async function copyShop(): Promise<string> {
  const template = join(inject("runFolder"), "shop");
  await onceARun(
    () => existsSync(template),
    () => makeTemplate(template),
  );
  const root = makeAppFolder(inject("runFolder"));
  await copyWithData(template, root);
  return root;
}

/** Renamed when it is complete. */
async function makeTemplate(folder: string): Promise<void> {
  const draft = `${folder}-draft`;
  removeAppFolder(draft);
  mkdirSync(draft, { mode: 0o711 });
  writeFileSync(join(draft, "service.yaml"), "");
  const outDir = join(draft, "dist");
  await execa("tsc", ["-p", shop, "--outDir", outDir, "--singleThreaded"], {
    ...localTools,
    cwd: repository,
  });
  cpSync(join(shop, "migrations"), join(draft, "migrations"), { recursive: true });
  writeFileSync(join(draft, "package.json"), '{ "type": "module" }\n');
  linkPackages(draft);
  const database = await startEmbedded({ root: draft, settings: { fsync: "off" } });
  try {
    await migrate({ url: database.url, directory: join(draft, "migrations") });
    await makeAdmin(draft, database.url);
  } finally {
    await database.stop();
  }
  renameSync(draft, folder);
}

async function makeAdmin(root: string, databaseUrl: string): Promise<void> {
  const config = readConfig({ root, environment: {}, databaseUrl });
  const db = openDatabase({ url: databaseUrl, poolSize: 1, prepare: true });
  const person = { ...account, role: "admin", name: "Admin" };
  await createAccount({ db, clock: systemClock, config }, person);
  await db.close();
}
