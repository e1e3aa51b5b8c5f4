import type { Server } from "node:http";
import type { Express } from "express";
import { closeServer, type HttpParts, newExpress, newServer } from "../../http/index.js";
import { type Forgetting, startForgetting } from "../../resource/index.js";
import type { Uploads } from "../../uploads/index.js";
import type { OwnApp, OwnServices } from "../start/own-services.js";
import { startOrExit } from "../start/start.js";
import { leave, takeConnections } from "./handover.js";
import { isPortWatched, openPort, urlOf } from "./port.js";
import { onEndSignals } from "./signals.js";

/**
 * A server made of the generated routes; nothing listens before `listen`. With several `server.workers`
 * each process has one, and the primary's only supervises the others.
 */
export interface App<Resources = unknown> extends OwnApp<Resources> {
  /** The underlying Express app. */
  readonly express: Express;
  /** Express's own `use`: middleware that is added before `listen` runs before every route. */
  readonly use: Express["use"];
  /** Serves on the configured host and port until SIGTERM or SIGINT. Resolves with the address. */
  listen(): Promise<string>;
  /** Accepts no more requests, lets running requests and mails finish, closes the database. */
  close(): Promise<void>;
}

/** The last step of a start: Express around the routes, and the server around Express. */
export function newApp(
  parts: HttpParts,
  own: OwnServices,
  uploads: Uploads,
  role: "alone" | "worker" | "test",
): App<object> {
  const { config, db, log, mailer } = parts.services;
  const app = newExpress(parts);
  let server: Server | null = null;
  let forgetting: Forgetting | null = null;
  let ignoreSignals = () => {};
  let listening: Promise<string> | null = null;

  async function listen(): Promise<string> {
    const opened = newServer(app, parts);
    server = opened;
    const url = role === "worker" ? serveHanded(opened) : await openOwnPort(opened);
    // A test stops its app itself, and nothing of it gets old.
    if (role === "test") return url;
    uploads.startPruning();
    mailer.start();
    forgetting = startForgetting(parts.services);
    // The primary logs that it listens, and limits how long a worker may take.
    const again = role === "worker" ? () => {} : () => process.exit(1);
    ignoreSignals = onEndSignals({ first: () => void stop(), again });
    // `service dev` announces its server itself.
    if (role === "alone" && !isPortWatched()) {
      log.info({ address: url }, `${config.app.name} is listening on ${url}`);
    }
    return url;
  }

  function listenOnce(): Promise<string> {
    listening ??= listen();
    return listening;
  }

  async function openOwnPort(opened: Server): Promise<string> {
    const { url } = await startOrExit(() => openPort(opened, config.server));
    return url;
  }

  function serveHanded(opened: Server): string {
    takeConnections(opened);
    return urlOf(config.server);
  }

  async function stop(): Promise<void> {
    await end();
    process.exit(0);
  }

  async function close(): Promise<void> {
    await end();
    ignoreSignals();
  }

  async function end(): Promise<void> {
    if (role === "worker") leave();
    const drainMs = config.server.drainSeconds * 1_000;
    const start = performance.now();
    // In development the next server waits for this one's port.
    const idle = isPortWatched() ? { idleMs: 0 } : {};
    if (server !== null) await closeServer(server, { ...idle, drainMs });
    await own.after.finish(drainMs - (performance.now() - start));
    await uploads.close();
    await forgetting?.close();
    await mailer.close();
    await db.close();
  }

  return { ...own.app, express: app, use: app.use.bind(app), listen: listenOnce, close };
}
