import { createServer } from "node:net";
import type { Config } from "../../config/index.js";
import { type HttpParts, newOuterExpress } from "../../http/index.js";
import { type GatheredMetrics, gatherMetrics } from "../../operation/index.js";
import type { AppCodeServices } from "../start/app-code-services.js";
import { startOrExit } from "../start/start-or-exit.js";
import { type App, appAround } from "./around.js";
import { newDistribution } from "./distribute.js";
import { waitToDrain } from "./ending/drain-delay.js";
import { onEndSignals } from "./ending/signals.js";
import { onUncaught } from "./ending/uncaught.js";
import { newJudging } from "./judging.js";
import { newNumbersExchange } from "./numbers.js";
import { openPort } from "./port.js";
import { reloads } from "./reload.js";
import { startWorkers, type Workers } from "./workers.js";

/**
 * Milliseconds that workers get in addition to the time for running requests; ten seconds of them are for the longest
 * statement.
 */
const patience = 15_000;

/**
 * Creates the app in the primary of several processes. It accepts connections and hands them to the workers, even while
 * one is being replaced. It serves nothing itself and holds no database connection. `listen` starts the workers and
 * resolves when all of them serve.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the life of one process, whose steps share what it has opened
export function newPrimary(parts: HttpParts, own: AppCodeServices): App<object> {
  const { config, db, log } = parts.services;
  const outer = newOuterExpress(parts);
  const distribution = newDistribution();
  const numbers = newNumbersExchange();
  const judgeFor = newJudging();
  let metrics: GatheredMetrics | null = null;
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, distribution.give);
  let workers: Workers | null = null;
  let ignoreSignals = () => {};

  async function listen(): Promise<string> {
    metrics = await startOrExit(() => gatherMetrics(config.server.metrics));
    const { port, url } = await startOrExit(() => openPort(listener, config.server));
    const server = { ...config.server, port };
    const ignoreEnd = onEndSignals({ first: (signal) => void stop(signal), again: kill });
    const started = startWorkers({ config: { ...config, server }, log }, (worker) => {
      distribution.add(worker);
      numbers.add(worker);
      judgeFor(worker);
      metrics?.add(worker);
    });
    workers = started;
    const ignoreReload = reloads(parts.services, server, started);
    const ignoreUncaught = onUncaught(parts.services, () => void endFaulty());
    ignoreSignals = () => {
      ignoreEnd();
      ignoreReload();
      ignoreUncaught();
    };
    await startOrExit(() => started.listening);
    void startOrExit(() => giveUpWith(started));
    log.info(
      { address: url, workers: config.server.workers },
      `${config.app.name} is listening on ${url}`,
    );
    return url;
  }

  /** The configuration of the workers, which a reload may have changed. */
  function current(): Config {
    return workers?.config() ?? config;
  }

  /** Stops the other workers if one cannot be replaced. */
  async function giveUpWith(started: Workers): Promise<void> {
    try {
      await started.ended;
    } catch (error) {
      await finish();
      throw error;
    }
  }

  async function stop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
    workers?.drain();
    if (signal === "SIGTERM") await waitToDrain({ config: current(), log });
    await finish();
    process.exit(0);
  }

  async function endFaulty(): Promise<void> {
    await finish().finally(() => process.exit(1));
  }

  async function finish(): Promise<void> {
    const late = setTimeout(
      () => {
        log.error("Server processes did not end in time and are killed");
        kill();
      },
      current().server.drainSeconds * 1_000 + patience,
    );
    await end();
    clearTimeout(late);
  }

  function kill(): void {
    workers?.kill();
    process.exit(1);
  }

  async function close(): Promise<void> {
    await end();
    ignoreSignals();
  }

  async function end(): Promise<void> {
    listener.close();
    distribution.close();
    await workers?.stop();
    await own.after.finish(current().server.drainSeconds * 1_000);
    await db.close();
    metrics?.close();
  }

  return appAround(outer, own, { listen, close });
}
