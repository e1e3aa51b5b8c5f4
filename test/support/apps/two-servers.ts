import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, AppOptions } from "service-runtime/app";
import { withVariables } from "../processes/environment.js";
import { type FixtureApp, type RunningApp, startApp } from "./app.js";

// biome-ignore lint/suspicious/noExplicitAny: the types of a second app in one program would clash.
type AnyApp = App<any>;

/** Two servers of one app on one database. */
export interface TwoServers {
  readonly running: RunningApp;
  readonly apps: readonly [AnyApp, AnyApp];
  readonly urls: readonly [string, string];
  close(): Promise<void>;
}

export async function startTwoServers(name: FixtureApp, options: AppOptions): Promise<TwoServers> {
  const made: AnyApp[] = [];
  const running = await startApp(name, options, (app) => {
    made.push(app);
  });
  const variables = {
    DATABASE_URL: running.databaseUrl,
    PORT: "0",
    SERVICE_LOG_LEVEL: "silent",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const path = resolve(import.meta.dirname, "../../../fixtures", name, "generated/app.ts");
  const generated: { createApp(options: AppOptions): Promise<AnyApp> } = await import(
    pathToFileURL(path).href
  );
  const second = await withVariables(variables, async () => {
    const app = await generated.createApp(options);
    return { app, url: await app.listen() };
  });
  const [first = second.app] = made;
  return {
    running,
    apps: [first, second.app],
    urls: [running.url, second.url],
    async close() {
      await second.app.close();
      await running.close();
    },
  };
}
