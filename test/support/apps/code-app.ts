import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, type AppOptions, createGeneratedApp } from "service-runtime/app";
import { categoryDefinition } from "../../../fixtures/apps/shop/generated/categories/routes.js";
import { productDefinition } from "../../../fixtures/apps/shop/generated/products/routes.js";
import { migrate } from "../../../runtime/migrate/index.js";
import type { Policies } from "../../../runtime/own-code/index.js";
import { migratedDatabase, type TestDatabase } from "../database/database.js";
import { checkAnswers, ignoreAnswers } from "../openapi/answers.js";
import { withVariables } from "../processes/environment.js";

/** A server with the shop's products and categories. */
export interface OwnApp {
  readonly url: string;
  /** Stops the server; its database is the caller's. */
  close(): Promise<void>;
}

/** Starts one that has these lines as its `service.yaml`. */
export async function startCodeApp(
  database: TestDatabase,
  settings: string,
  { options = {}, prepare }: CodeAppSetup = {},
): Promise<OwnApp> {
  const root = mkdtempSync(join(tmpdir(), "own-app-"));
  writeFileSync(join(root, "service.yaml"), settings);
  symlinkSync(migrations, join(root, "migrations"));
  const variables = {
    DATABASE_URL: database.url,
    PORT: "0",
    SERVICE_LOG_LEVEL: "silent",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const location = pathToFileURL(join(root, "generated/app.js")).href;
  const resources = [productDefinition, categoryDefinition];
  const { app, url } = await withVariables(variables, async () => {
    const parts = { location, resources, descriptors: [] };
    const app = await createGeneratedApp(parts, options);
    prepare?.(app);
    return { app, url: await app.listen() };
  });
  const hasAppRoutes = options.routes !== undefined || prepare !== undefined;
  checkAnswers(url, "apps/shop", { hasAppRoutes });
  return {
    url,
    close: async () => {
      await app.close();
      ignoreAnswers(url);
      rmSync(root, { recursive: true });
    },
  };
}

export interface CodeAppSetup {
  readonly options?: AppOptions<Policies>;
  /** May change the app before it listens. */
  readonly prepare?: (app: App) => void;
}

/** A new database with the shop's tables. */
export function shopDatabase(): Promise<TestDatabase> {
  return migratedDatabase(migrations);
}

export async function migrateShop({ url }: TestDatabase): Promise<void> {
  await migrate({ url, directory: migrations });
}

const migrations = resolve(import.meta.dirname, "../../../fixtures/apps/shop/migrations");
