import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { createApp } from "../../../fixtures/apps/shop/generated/app.js";
import type { ImportEvent, ImportRequest, SeedEvent } from "../../../runtime/data/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { shopDatabase } from "./code-app.js";
import { openTaskApp, usualImport } from "./task-app.js";

/** The shop of `fixtures/apps/shop`, which imports and seeds files in this process. */
export interface ImportingShop {
  readonly db: Database;
  readonly folder: string;
  /** Imports a text as a file; resolves with the last event. */
  import(resource: string, text: string | Buffer, options?: Partial<ImportRequest>): Promise<End>;
  /** Seeds with these files of the folder `seed/`, each as a whole; resolves with the end. */
  seed(
    files: Readonly<Record<string, string | Buffer>>,
    only?: readonly string[],
    options?: { readonly onlyEmpty: boolean },
  ): Promise<SeedEvent>;
  /** File of refused rows beside the last import's file; null without one. */
  errors(): string | null;
  close(): Promise<void>;
}

export type End = Exclude<ImportEvent, { kind: "progress" }>;

/** `through` gives the address at which the import finds the database, instead of the database's own. */
export async function openImportingShop(
  hooks: Hooks = {},
  through = async (databaseUrl: string) => databaseUrl,
  settings: { readonly hookTimeoutSeconds?: number } = {},
): Promise<ImportingShop> {
  const database = await shopDatabase();
  const folder = mkdtempSync(join(tmpdir(), "service-import-"));
  const app = await openTaskApp({
    name: "shop",
    ...settings,
    databaseUrl: await through(database.url),
    environment: { SHOP_STORAGE: join(folder, "storage") },
    make: () => createApp({ hooks }),
  });
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  let last = "";
  return {
    db,
    folder,
    async import(resource, text, options = {}) {
      const path = join(folder, `rows.${options.format ?? "csv"}`);
      writeFileSync(path, text);
      last = `${path}.errors.${options.format === undefined ? "csv" : "ndjson"}`;
      const request = { ...usualImport, path, errors: last, ...options, resource };
      return app.run<End>((events) => ({ kind: "import", request: { ...request, events } }));
    },
    async seed(files, only = [], { onlyEmpty } = { onlyEmpty: false }) {
      const seeds = join(folder, "seed");
      rmSync(seeds, { recursive: true, force: true });
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(seeds, name)), { recursive: true });
        writeFileSync(join(seeds, name), content);
      }
      const request = { folder: seeds, resources: [...only], onlyEmpty, command: null };
      return app.run<SeedEvent>((events) => ({ kind: "seed", request: { ...request, events } }));
    },
    errors() {
      try {
        return readFileSync(last, "utf8");
      } catch {
        return null;
      }
    },
    async close() {
      await app.close();
      await db.close();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
