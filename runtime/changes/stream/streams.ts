import type { Database } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Answer,
  type Context,
  clientKey,
  type Gate,
  type HandledRoute,
  unsetProxy,
} from "../../http/index.js";
import { type Services, visitor } from "../../own-code/index.js";
import type { ResourceDefinition } from "../../resource/index.js";
import { publicWord } from "../../values/access-rule.js";
import { followLog, type LogFollower } from "../log/follow.js";
import { shortHash, writePosition } from "../log/position.js";
import { readState } from "../log/read.js";
import { type LogUpkeep, startUpkeep } from "../log/upkeep.js";
import { type Broadcast, openBroadcast } from "./broadcast.js";
import { checkPolicies, checkTokens } from "./check-rights.js";
import { type Holder, newPlaces } from "./places.js";
import { cutFullest } from "./subscriber.js";
import { isPublicStream, maxQuery, readSubscription, type Subscription } from "./subscription.js";

export interface Streams {
  readonly route: HandledRoute;
  /** Follows the log for all parts of the process that use new changes, so that changes are numbered and read once. */
  readonly follower: LogFollower;
  count(): number;
  /** Starts to number changes even without listeners, and to delete old ones. */
  startUpkeep(): void;
  /** Ends all streams and accepts no new ones. The log is followed until `close`. */
  end(): void;
  close(): Promise<void>;
}

export interface StreamOptions {
  readonly services: Services;
  readonly gate: Gate;
  readonly definitions: readonly ResourceDefinition[];
  /** The response of `GET /api/_service/resources`. */
  readonly descriptors: readonly object[];
  /** Called with the number of seconds between each change and its delivery. */
  readonly onDelay?: (seconds: number) => void;
}

/**
 * Milliseconds between checks of tokens. A revoked or expired token is detected within a second, including the time of
 * the statement.
 */
const tokenMs = 750;
const pulseMs = 15_000;
const policyMs = 60_000;
/**
 * Milliseconds between additional counts of unsent bytes, because events sent to returning subscribers are not part of
 * a round.
 */
const unsentMs = 250;

/** Value of `Retry-After` in seconds for a subscriber that exceeded a limit. */
const retryAfter = 5;

/**
 * Returns a function that reads the current position of the log, for a client that reads a list and then streams its
 * changes.
 */
export function positionReader(
  db: Pick<Database, "query">,
  descriptors: readonly object[],
): () => Promise<string> {
  const release = shortHash(descriptors);
  return async () => {
    const { log, n } = await readState(db);
    return writePosition({ log, n, release, rights: "" });
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the life of all streams, whose steps share what they have opened
export function openStreams(options: StreamOptions): Streams {
  const { services, gate, definitions, descriptors, onDelay = () => {} } = options;
  const { config, db, log, clock } = services;
  const byName = new Map(definitions.map((one) => [one.table.resource, one]));
  // Subscribers from another release may have records in another format.
  const release = shortHash(descriptors);
  const follower = followLog({
    db,
    onError: (err) => log.warn({ err }, "changes cannot be read"),
  });
  const broadcast: Broadcast = openBroadcast({
    services,
    follower,
    release,
    deciding: decidingIn(definitions),
    onSent: (changes) => {
      const now = clock.now().getTime();
      for (const { at } of changes) onDelay(Math.max(0, now - at.getTime()) / 1000);
    },
  });
  const places = newPlaces({
    all: config.changes.streams,
    perAccount: config.changes.streamsPerAccount,
    perClient: config.changes.streamsPerClient,
  });
  const isUncounted = unsetProxy(config, log);
  let isEnded = false;
  let upkeep: LogUpkeep | null = null;

  const timers = [
    every(tokenMs, () => checkTokens({ gate, services }, broadcast.subscribers)),
    every(policyMs, () => checkPolicies(services, broadcast.subscribers)),
    every(pulseMs, async () => broadcast.pulse()),
    every(unsentMs, async () => cutFullest(broadcast.subscribers)),
  ];

  /** Runs the work at that interval if there are streams, and never twice concurrently. */
  function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
    let isBusy = false;
    const run = () => {
      if (isBusy || broadcast.subscribers.size === 0) return;
      isBusy = true;
      work()
        .catch((err: unknown) => log.warn({ err }, "the rights of streams cannot be checked"))
        .finally(() => {
          isBusy = false;
        });
    };
    return setInterval(run, ms).unref();
  }

  async function handle(context: Context): Promise<Answer> {
    const subscription = await readSubscription(context, byName);
    const holder = holderOf(subscription, context);
    const lacking = isEnded ? "streams" : places.lacks(holder);
    if (lacking === "streams") refuse("UNAVAILABLE", { retryAfter });
    if (lacking !== null) {
      const whose = holder.kind === "account" ? "account" : "address";
      refuse("TOO_MANY_REQUESTS", { retryAfter, error: `Too many streams of this ${whose}` });
    }
    // Taken immediately, because other requests may be about to begin. A stream that has not begun by the end of this
    // turn of the event loop never will.
    const leave = places.take(holder);
    const unused = setImmediate(leave);
    return {
      status: 200,
      json: null,
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
      },
      live: (response) => {
        clearImmediate(unused);
        response.once("close", leave);
        broadcast.open(subscription, context.request, response);
      },
    };
  }

  function holderOf({ caller }: Subscription, { request }: Context): Holder {
    if (caller !== visitor) return { kind: "account", key: caller.accountId };
    return { kind: "client", key: isUncounted(request) ? null : clientKey(request, config) };
  }

  return {
    route: {
      method: "GET",
      path: "/_service/changes",
      access: definitions.some(isPublicStream) ? [publicWord] : "signed-in",
      accept: "events",
      maxQuery,
      handle,
    },
    follower,
    count: () => broadcast.subscribers.size,
    startUpkeep() {
      const { days } = config.changes;
      const onError = (err: unknown) =>
        log.warn({ err }, "the log of changes cannot be numbered or cleaned up");
      upkeep = startUpkeep(db, { days, histories: historiesOf(definitions) }, onError);
    },
    end: () => {
      isEnded = true;
      void broadcast.close();
    },
    async close() {
      isEnded = true;
      for (const timer of timers) clearInterval(timer);
      await upkeep?.close();
      await broadcast.close();
      await follower.close();
    },
  };
}

/** Resources whose changes determine who owns or lists records of other resources. */
function decidingIn(definitions: readonly ResourceDefinition[]): readonly string[] {
  const moves = definitions.flatMap(({ table }) => [
    ...(table.owner?.moves ?? []),
    ...(table.paths ?? []),
  ]);
  return [...new Set(moves.map(({ resource }) => resource))];
}

function historiesOf(definitions: readonly ResourceDefinition[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    definitions.flatMap(({ table }) => {
      const days = table.changes?.history ?? null;
      return days === null ? [] : [[table.resource, days] as const];
    }),
  );
}
