import { createHash } from "node:crypto";
import { refuse } from "../../errors/index.js";
import type { Answer, Context, Gate, HandledRoute } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import type { ResourceDefinition } from "../../resource/index.js";
import { writePosition } from "../log/position.js";
import { readState } from "../log/read.js";
import { type LogUpkeep, startUpkeep } from "../log/upkeep.js";
import { type Hub, openHub } from "./hub.js";
import { judgePolicies, judgeTokens } from "./judge.js";
import { readAsked } from "./watch.js";

/** The streams of a process, and the route at which they are opened. */
export interface Streams {
  readonly route: HandledRoute;
  /** Where the log is, for whoever reads a list and then wants to hear of what follows. */
  position(): Promise<string>;
  /** How many are open. */
  count(): number;
  /** To be called after a write of this process. */
  wake(): void;
  /** Numbers changes while nobody listens, and deletes old ones. */
  startUpkeep(): void;
  /** Ends all streams, and admits no further one. */
  end(): void;
  close(): Promise<void>;
}

export interface StreamOptions {
  readonly services: Services;
  readonly gate: Gate;
  readonly definitions: readonly ResourceDefinition[];
  /** What `GET /api/_service/resources` answers. */
  readonly descriptors: readonly object[];
  /** Told how many seconds a change took until it was sent. */
  readonly onDelay?: (seconds: number) => void;
}

/** Milliseconds. A token that has ended is noticed within a second, the time of the statement included. */
const judgeMs = 750;
const pulseMs = 15_000;
const policyMs = 60_000;

/** Seconds after which a reader for whom there is no place comes again. */
const retryAfter = 5;

export function openStreams(options: StreamOptions): Streams {
  const { services, gate, definitions, descriptors, onDelay = () => {} } = options;
  const { config, db, log, clock } = services;
  const byName = new Map(definitions.map((one) => [one.table.resource, one]));
  const release = releaseOf(descriptors);
  const hub: Hub = openHub({
    services,
    release,
    deciding: decidingIn(definitions),
    onSent: (changes) => {
      const now = clock.now().getTime();
      for (const { at } of changes) onDelay(Math.max(0, now - at.getTime()) / 1000);
    },
  });
  const perAccount = new Map<string, number>();
  let isEnded = false;
  let upkeep: LogUpkeep | null = null;

  const timers = [
    every(judgeMs, () => judgeTokens(gate, hub.readers)),
    every(policyMs, () => judgePolicies(services, hub.readers)),
    every(pulseMs, async () => hub.pulse()),
  ];

  /** Does nothing while nobody listens, and never twice at once. */
  function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
    let isBusy = false;
    const run = () => {
      if (isBusy || hub.readers.size === 0) return;
      isBusy = true;
      work()
        .catch((err: unknown) => log.warn({ err }, "streams of changes cannot be judged"))
        .finally(() => {
          isBusy = false;
        });
    };
    return setInterval(run, ms).unref();
  }

  async function handle(context: Context): Promise<Answer> {
    const asked = await readAsked(context, byName);
    if (isEnded || hub.readers.size >= config.changes.streams) {
      refuse("UNAVAILABLE", { retryAfter });
    }
    const { accountId } = asked.caller;
    const own = perAccount.get(accountId) ?? 0;
    if (own >= config.changes.streamsPerAccount) {
      refuse("TOO_MANY_REQUESTS", { retryAfter, error: "Too many streams of this account" });
    }
    return {
      status: 200,
      json: null,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
      },
      live: (response) => {
        perAccount.set(accountId, (perAccount.get(accountId) ?? 0) + 1);
        response.once("close", () => {
          const left = (perAccount.get(accountId) ?? 1) - 1;
          if (left === 0) perAccount.delete(accountId);
          else perAccount.set(accountId, left);
        });
        hub.open(asked, context.request, response);
      },
    };
  }

  return {
    route: {
      method: "GET",
      path: "/_service/changes",
      access: "signed-in",
      accept: "events",
      handle,
    },
    async position() {
      const { log: id, n } = await readState(db);
      return writePosition({ log: id, n, release });
    },
    count: () => hub.readers.size,
    wake: hub.wake,
    startUpkeep() {
      const { days } = config.changes;
      const onError = (err: unknown) => log.warn({ err }, "the log of changes cannot be kept");
      upkeep = startUpkeep(db, { days, histories: historiesOf(definitions) }, onError);
    },
    end: () => {
      isEnded = true;
      void hub.close();
    },
    async close() {
      isEnded = true;
      for (const timer of timers) clearInterval(timer);
      await upkeep?.close();
      await hub.close();
    },
  };
}

/** The resources whose changes move rights of others' records. */
function decidingIn(definitions: readonly ResourceDefinition[]): readonly string[] {
  const moves = definitions.flatMap(({ table }) => table.owner?.moves ?? []);
  return [...new Set(moves.map(({ resource }) => resource))];
}

/** Days by resource, where histories are kept. */
function historiesOf(definitions: readonly ResourceDefinition[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    definitions.flatMap(({ table }) => {
      const days = table.changes?.history ?? null;
      return days === null ? [] : [[table.resource, days] as const];
    }),
  );
}

/** Readers of another release may have records of another form. */
function releaseOf(descriptors: readonly object[]): string {
  return createHash("sha256").update(JSON.stringify(descriptors)).digest("hex").slice(0, 8);
}
