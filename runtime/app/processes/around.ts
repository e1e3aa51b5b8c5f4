import type { Express } from "express";
import type { OuterExpress } from "../../http/index.js";
import type { JobInputs } from "../../own-code/index.js";
import type { AppCodeServices, AppMembers } from "../start/app-code-services.js";

/**
 * A server of the generated routes, which accepts no connections before `listen`. With several `server.workers`, each
 * process has one; that of the primary only supervises the others.
 */
export interface App<Resources = unknown, Inputs = JobInputs>
  extends AppMembers<Resources, Inputs> {
  /** The underlying Express app. */
  readonly express: Express;
  /** Express's own `use`: middleware added before `listen` runs before every route. */
  readonly use: Express["use"];
  /** Serves on the configured host and port until SIGTERM or SIGINT. Resolves with the address. */
  listen(): Promise<string>;
  /** Accepts no further requests, waits for running requests and emails, and closes the database. */
  close(): Promise<void>;
}

/** Returns the app for `server.ts`. The Express app is created when something is mounted. */
export function appAround(
  outer: OuterExpress,
  own: AppCodeServices,
  ends: Pick<App, "listen" | "close">,
): App<object> {
  return {
    ...own.app,
    get express() {
      return outer.app();
    },
    get use() {
      return outer.app().use.bind(outer.app());
    },
    ...ends,
  };
}
