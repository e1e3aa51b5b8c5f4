import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Hooks } from "../../../fixtures/apps/shop/generated/app.js";
import { createApp } from "../../../fixtures/apps/shop/generated/app.js";
import { categoryDefinition } from "../../../fixtures/apps/shop/generated/categories/routes.js";
import { couponDefinition } from "../../../fixtures/apps/shop/generated/coupons/routes.js";
import { customerDefinition } from "../../../fixtures/apps/shop/generated/customers/routes.js";
import { orderItemDefinition } from "../../../fixtures/apps/shop/generated/order-items/routes.js";
import { orderDefinition } from "../../../fixtures/apps/shop/generated/orders/routes.js";
import { productDefinition } from "../../../fixtures/apps/shop/generated/products/routes.js";
import { promotionDefinition } from "../../../fixtures/apps/shop/generated/promotions/routes.js";
import { reviewDefinition } from "../../../fixtures/apps/shop/generated/reviews/routes.js";
import { settingDefinition } from "../../../fixtures/apps/shop/generated/settings/routes.js";
import { visitDefinition } from "../../../fixtures/apps/shop/generated/visits/routes.js";
import type { MadeApp } from "../../../runtime/app/index.js";
import { readConfig } from "../../../runtime/config/index.js";
import type { ImportEvent, ImportRequest, SeedEvent, Task } from "../../../runtime/data/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { shopDatabase } from "./own-app.js";

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
  ): Promise<SeedEvent>;
  /** What lies beside the file of the last import for refused rows; null where there is nothing. */
  errors(): string | null;
  close(): Promise<void>;
}

export type End = Exclude<ImportEvent, { kind: "progress" }>;

export async function openImportingShop(hooks: Hooks = {}): Promise<ImportingShop> {
  const database = await shopDatabase();
  const folder = mkdtempSync(join(tmpdir(), "service-import-"));
  const made: MadeApp[] = [];
  const { testSetups, runTask } = await built();
  const environment = {
    NODE_ENV: "test",
    SHOP_STORAGE: join(folder, "storage"),
    SERVICE_LOG_LEVEL: "silent",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const configure = async (root: string) =>
    readConfig({ root, environment, databaseUrl: database.url });
  await testSetups.run({ configure, onMade: (one) => made.push(one) }, () => createApp({ hooks }));
  const [{ app, services, after, uploads } = missing()] = made;
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: true });
  let last = "";
  /** The last event of a task, which is told on a descriptor. */
  async function toldBy<Event>(taskOf: (events: number) => Task): Promise<Event> {
    const path = join(folder, "events");
    const descriptor = openSync(path, "w");
    try {
      await runTask({ services, after, definitions, uploads }, taskOf(descriptor));
    } finally {
      closeSync(descriptor);
    }
    const told = readFileSync(path, "utf8").trim().split("\n");
    return JSON.parse(told.at(-1) ?? "");
  }
  return {
    db,
    folder,
    async import(resource, text, options = {}) {
      const path = join(folder, `rows.${options.format ?? "csv"}`);
      writeFileSync(path, text);
      last = `${path}.errors.${options.format === undefined ? "csv" : "ndjson"}`;
      const request = { ...usual, path, errors: last, ...options, resource };
      return toldBy<End>((events) => ({ kind: "import", request: { ...request, events } }));
    },
    async seed(files, only = []) {
      const seeds = join(folder, "seed");
      rmSync(seeds, { recursive: true, force: true });
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(seeds, name)), { recursive: true });
        writeFileSync(join(seeds, name), content);
      }
      const request = { folder: seeds, resources: [...only], onlyEmpty: false, command: null };
      return toldBy<SeedEvent>((events) => ({ kind: "seed", request: { ...request, events } }));
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

/** What the app itself runs, which is built: this process has modules of the same names besides. */
async function built(): Promise<{
  readonly testSetups: typeof import("../../../runtime/app/index.js").testSetups;
  readonly runTask: typeof import("../../../runtime/data/index.js").runTask;
}> {
  const room = (name: string) =>
    import(new URL(`../../../dist/runtime/${name}/index.js`, import.meta.url).href);
  return { ...(await room("app")), ...(await room("data")) };
}

function missing(): never {
  throw new Error("No app was made");
}

const usual: Omit<ImportRequest, "resource" | "path" | "errors" | "events"> = {
  format: "csv",
  map: {},
  link: {},
  upsert: null,
  onError: "stop",
  resume: null,
  isDry: false,
  isFromSpreadsheet: false,
  command: null,
};

const definitions = [
  categoryDefinition,
  couponDefinition,
  customerDefinition,
  orderItemDefinition,
  orderDefinition,
  productDefinition,
  promotionDefinition,
  reviewDefinition,
  settingDefinition,
  visitDefinition,
];
