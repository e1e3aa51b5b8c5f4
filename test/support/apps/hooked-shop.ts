import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Router } from "express";
import { type App, createGeneratedApp } from "service-runtime/app";
import { vi } from "vitest";
import type { Hooks, Policies, Resources } from "../../../fixtures/apps/shop/generated/app.js";
import { categoryDefinition } from "../../../fixtures/apps/shop/generated/categories/routes.js";
import { couponDefinition } from "../../../fixtures/apps/shop/generated/coupons/routes.js";
import { orderItemDefinition } from "../../../fixtures/apps/shop/generated/order-items/routes.js";
import { productDefinition } from "../../../fixtures/apps/shop/generated/products/routes.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import type { HookContext } from "../../../runtime/own-code/index.js";
import { type Client, client, hangUp, type Row } from "../http/client.js";
import { withVariables } from "../processes/environment.js";
import { shopDatabase } from "./code-app.js";
import { created } from "./shop.js";

/** The shop with app code: products, categories, coupons and order items, on a separate database. */
export interface HookedShop {
  readonly url: string;
  readonly app: App<Resources>;
  /** Direct access, without the API. */
  readonly db: Database;
  /** A caller with this role. */
  as(role: string): Client;
  readonly admin: Client;
  readonly category: Row;
  /** A product as a body. */
  product(name: string, fields?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Logged errors that contain the text. */
  logged(text: string): readonly string[];
  close(): Promise<void>;
}

export interface HookedShopSetup {
  readonly hooks?: Hooks;
  readonly policies?: Policies;
  readonly routes?: Router;
  /** Lines of `service.yaml`. */
  readonly settings?: string;
}

export async function openHookedShop({
  settings = "",
  hooks = {},
  ...options
}: HookedShopSetup): Promise<HookedShop> {
  const database = await shopDatabase();
  const root = mkdtempSync(join(tmpdir(), "hooked-shop-"));
  writeFileSync(join(root, "service.yaml"), `auth: { enabled: false }\n${settings}`);
  symlinkSync(migrations, join(root, "migrations"));
  const variables = {
    DATABASE_URL: database.url,
    PORT: "0",
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const lines: string[] = [];
  let restoreLog = () => {};
  /** All requests have logs of one kind, and the first hook that runs gets one. */
  const spyOnLog = (_values: unknown, { log }: HookContext) => {
    const logs: typeof log = Object.getPrototypeOf(log);
    const spy = vi.spyOn(logs, "error").mockImplementation((details: unknown, message?: string) => {
      lines.push(lineOf(details, message));
    });
    restoreLog = () => spy.mockRestore();
  };
  const { app, url } = await withVariables(variables, async () => {
    const app = await createGeneratedApp<Resources>(
      {
        location: pathToFileURL(join(root, "generated/app.js")).href,
        descriptors: [],
        resources: [productDefinition, categoryDefinition, couponDefinition, orderItemDefinition],
      },
      {
        ...options,
        hooks: { ...hooks, categories: { beforeCreate: spyOnLog } },
        authenticate: async ({ headers }) => {
          const role = headers.authorization?.split(" ")[1];
          return role === undefined ? null : { accountId, role, sessionId: null };
        },
      },
    );
    return { app, url: await app.listen() };
  });
  const db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  const admin = client(url, "admin");
  const category = await created(admin, "categories", { name: "Everything" });
  return {
    url,
    app,
    db,
    as: (role) => client(url, role),
    admin,
    category,
    product: (name, fields = {}) => ({ name, price: 1, categoryId: category.id, ...fields }),
    logged: (text) => lines.filter((line) => line.includes(text)),
    close: async () => {
      restoreLog();
      hangUp(url);
      await app.close();
      await db.close();
      await database.drop();
      rmSync(root, { recursive: true });
    },
  };
}

function lineOf(details: unknown, message: string | undefined): string {
  const { err, ...more } = details as { err?: unknown };
  const errors: string[] = [];
  for (let error = err; error instanceof Error; error = error.cause) errors.push(error.message);
  return [message, ...errors, JSON.stringify(more)].join("; ");
}

/** Of everybody: an account exists for nobody. */
export const accountId = "01890000-0000-7000-8000-000000000001";

const migrations = resolve(import.meta.dirname, "../../../fixtures/apps/shop/migrations");
