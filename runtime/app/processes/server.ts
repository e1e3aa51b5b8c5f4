import type { Server } from "node:http";
import type { Streams } from "../../changes/index.js";
import { StartRefused } from "../../errors/index.js";
import { closeServer, type HttpParts, newOuterExpress, newServer } from "../../http/index.js";
import { type Drain, type Metrics, showMetrics } from "../../operation/index.js";
import {
  type Forgetting,
  type ResourceDefinition,
  startExpiring,
  startForgetting,
  startIndexing,
} from "../../resource/index.js";
import type { Uploads } from "../../uploads/at-start.js";
import type { Webhooks } from "../../webhooks/index.js";
import type { RunningJobs } from "../jobs/open-jobs.js";
import type { AppCodeServices } from "../start/app-code-services.js";
import type { Role } from "../start/process.js";
import { startOrExit } from "../start/start-or-exit.js";
import { type App, appAround } from "./around.js";
import { waitToDrain } from "./ending/drain-delay.js";
import { onEndSignals } from "./ending/signals.js";
import { onUncaught } from "./ending/uncaught.js";
import { askForReplacement, leave, onOrder, takeConnections } from "./handover.js";
import { loadWhileServing } from "./load-while-serving.js";
import { isPortHeld, leaveHeldPort, openHeldPort, openPort, urlOf } from "./port.js";

/** Milliseconds for jobs to finish in development. */
const devGraceMs = 3_000;

/** Milliseconds that idle connections stay open in development, so that successive requests of a client do not fail. */
const devIdleMs = 200;

/** Milliseconds in addition to the time for running requests, after which a process with an uncaught error exits. */
const faultyMs = 10_000;

/** Interval in milliseconds of a timer that only keeps the process alive. */
const aliveMs = 3_600_000;

export interface AppParts {
  readonly http: HttpParts;
  readonly own: AppCodeServices;
  readonly uploads: Uploads;
  /** Null for an app without jobs. */
  readonly jobs: RunningJobs | null;
  /** Null if no resource has `changes`. */
  readonly streams: Streams | null;
  /** Null for an app that logs no changes. */
  readonly webhooks: Webhooks | null;
  readonly drain: Drain;
  /** Null if metrics are not served. */
  readonly metrics: Metrics | null;
  readonly role: Role;
  readonly definitions: readonly ResourceDefinition[];
  /** A task to run instead of serving; null for a server. */
  readonly task: (() => Promise<void>) | null;
}

/**
 * Milliseconds that a retiring worker serves its open connections: longer than idle ones are kept open, so that it does
 * not close one that a client is about to use.
 */
const retirementMs = 66_000;

/** Performs the last step of a start: creates the Express app with the routes, and the server. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the life of one process, whose steps share what it has opened
export function newApp(given: AppParts): App<object> {
  const { http: parts, own, uploads, jobs, streams, webhooks } = given;
  const { drain, metrics, role, task } = given;
  const { config, db, log, mailer } = parts.services;
  const isWorker = role.kind === "worker";
  const outer = newOuterExpress(parts);
  let server: Server | null = null;
  let forgetting: Forgetting | null = null;
  let upkeep: readonly { close(): Promise<void> }[] = [];
  let ignoreSignals = () => {};
  let ignoreUncaught = () => {};
  let status = 0;
  let isStopping = false;
  let closeMetrics = async () => {};
  let listening: Promise<string> | null = null;

  async function listen(): Promise<string> {
    if (role.kind === "work") return startOrExit(() => startWork(role.concurrency));
    if (task !== null) return startOrExit(() => endAfter(task));
    const opened = newServer(outer, parts);
    server = opened;
    closeMetrics = await openMetrics();
    const url = isWorker ? serveHanded(opened) : await openAlone(opened);
    // A test stops its app itself, before anything expires.
    if (role.kind === "test") return url;
    uploads.startPruning();
    mailer.start();
    jobs?.start(config.jobs.concurrency);
    streams?.startUpkeep();
    webhooks?.start();
    forgetting = startForgetting(parts.services);
    const { definitions } = given;
    upkeep = [startExpiring, startIndexing].map((start) => start(parts.services, definitions));
    loadWhileServing(log);
    ignoreUncaught = onUncaught(parts.services, () => void endFaulty());
    // The primary logs that it listens, and limits how long a worker may take to exit.
    const again = isWorker ? () => {} : () => process.exit(1);
    ignoreSignals = onEndSignals({ first: (signal) => void stop(signal), again });
    if (isWorker) takeOrders();
    // `service dev` announces its server itself.
    if (role.kind === "alone" && !isPortHeld()) {
      log.info({ address: url }, `${config.app.name} is listening on ${url}`);
    }
    return url;
  }

  function openMetrics(): Promise<() => Promise<void>> {
    return startOrExit(() => showMetrics(metrics, config.server.metrics, { isWorker }));
  }

  /** Runs jobs, and sends emails, until SIGTERM or SIGINT. */
  async function startWork(concurrency: number): Promise<string> {
    if (jobs === null) return refuseWork();
    closeMetrics = await openMetrics();
    mailer.start();
    jobs.start(concurrency);
    webhooks?.start();
    loadWhileServing(log);
    ignoreUncaught = onUncaught(parts.services, () => void endFaulty());
    // Nothing else keeps the process alive while the database is unavailable.
    const alive = setInterval(() => {}, aliveMs);
    ignoreSignals = onEndSignals({
      first: () => void stopWork(alive),
      again: () => process.exit(1),
    });
    log.info({ concurrency }, `${config.app.name} is running jobs`);
    return "";
  }

  async function stopWork(alive: NodeJS.Timeout): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    await end();
    clearInterval(alive);
    process.exit(status);
  }

  function listenOnce(): Promise<string> {
    listening ??= listen();
    return listening;
  }

  async function openAlone(opened: Server): Promise<string> {
    if (!isPortHeld()) return (await startOrExit(() => openPort(opened, config.server))).url;
    await openHeldPort();
    return serveHanded(opened);
  }

  function serveHanded(opened: Server): string {
    takeConnections(opened);
    return urlOf(config.server);
  }

  function takeOrders(): void {
    // A terminal sends SIGHUP to every process; the primary handles it.
    process.on("SIGHUP", () => {});
    onOrder((order) => {
      if (order === "drain") beginDraining();
      else void retire();
    });
  }

  function beginDraining(): void {
    drain.begin();
    streams?.end();
  }

  async function stop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    beginDraining();
    if (signal === "SIGTERM" && !isPortHeld()) await waitToDrain(parts.services);
    await end();
    process.exit(status);
  }

  /**
   * Ends the process after an uncaught error, when its state may be invalid. Running requests finish, and nothing else
   * starts.
   */
  async function endFaulty(): Promise<void> {
    status = 1;
    if (isWorker) askForReplacement();
    if (isStopping) return;
    isStopping = true;
    beginDraining();
    // The shutdown may depend on the part that failed.
    setTimeout(() => process.exit(status), config.server.drainSeconds * 1_000 + faultyMs);
    await end().finally(() => process.exit(status));
  }

  async function retire(): Promise<void> {
    await end(retirementMs);
    process.exit(0);
  }

  async function close(): Promise<void> {
    await end();
    ignoreSignals();
    ignoreUncaught();
    leaveHeldPort();
  }

  async function end(idleMs?: number): Promise<void> {
    if (isWorker || isPortHeld()) leave();
    const drainMs = config.server.drainSeconds * 1_000 + (idleMs ?? 0);
    const start = performance.now();
    // In development, the next server waits until this one has exited; a test that stops its app sends no further
    // requests.
    const soonest = isPortHeld() ? devIdleMs : role.kind === "test" ? 0 : idleMs;
    const idle = soonest === undefined ? {} : { idleMs: soonest };
    // Subscribers of streams reconnect to another process, and the server waits until they have disconnected.
    await streams?.close();
    // `service dev` kills a server five seconds after asking it to stop.
    const graceMs = isPortHeld() ? Math.min(drainMs, devGraceMs) : drainMs;
    const jobsEnd = Promise.all([jobs?.close(graceMs), webhooks?.close(graceMs)]);
    if (server !== null) await closeServer(server, { ...idle, drainMs });
    await jobsEnd;
    const left = () => drainMs - (performance.now() - start);
    await own.after.finish(left());
    await parts.gate.finish?.(left());
    await uploads.close();
    await forgetting?.close();
    await Promise.all(upkeep.map((one) => one.close()));
    await mailer.close();
    await db.close();
    await closeMetrics();
  }

  return appAround(outer, own, { listen: listenOnce, close });
}

/** Runs the task, then exits, even if something that the app has opened would keep the process alive. */
async function endAfter(task: () => Promise<void>): Promise<never> {
  await task();
  process.exit(0);
}

function refuseWork(): never {
  throw new StartRefused({
    message: "The app has no jobs to run",
    hint: "pass `jobs` to createApp in server.ts",
  });
}
