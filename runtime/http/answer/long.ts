import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { refuse } from "../../errors/index.js";
import { createQueue } from "../../queue/index.js";
import type { LongText } from "../route/route.js";
import { hasRoomFor } from "./large.js";

/** Maximum number of long responses that are queued in the process; they count as requests in flight. */
const maxWaiting = 64;

/** One at a time, since a text counts as held only once it is being sent. */
const making = createQueue({ concurrency: 1, waiting: maxWaiting });

/** Maximum time in the queue in milliseconds: several times as long as it takes to drop clients that do not read. */
const patienceMs = 5_000;

/** Milliseconds between checks for available memory. */
const checkMs = 20;

/** The value of `Retry-After`, in seconds. */
const retryAfter = 2;

let waiting = 0;

/**
 * Generates a long text once the previous responses on its connection have been sent, no other text is being generated,
 * and there is memory for it. Refuses with `UNAVAILABLE` if that takes too long, or if the queue is full.
 */
export async function makeInTurn(response: ServerResponse, long: LongText): Promise<string[]> {
  if (waiting >= maxWaiting) return refuseNow();
  const deadline = performance.now() + patienceMs;
  waiting += 1;
  try {
    await isFirst(response, deadline);
    return await making.run(async () => {
      await room(response, long.bytes, deadline);
      return long.make();
    });
  } finally {
    waiting -= 1;
  }
}

/** Waits until the previous responses have been sent: Node then assigns the socket to the response. */
async function isFirst(response: ServerResponse, deadline: number): Promise<void> {
  while (response.socket === null) await pause(response, deadline);
}

async function room(response: ServerResponse, bytes: number, deadline: number): Promise<void> {
  checkWanted(response, deadline);
  while (!hasRoomFor(bytes)) await pause(response, deadline);
}

async function pause(response: ServerResponse, deadline: number): Promise<void> {
  await sleep(checkMs);
  checkWanted(response, deadline);
}

/** Throws if the client has disconnected or the deadline has passed. */
function checkWanted({ req }: ServerResponse, deadline: number): void {
  if (req.socket.destroyed || performance.now() >= deadline) refuseNow();
}

function refuseNow(): never {
  return refuse("UNAVAILABLE", { retryAfter });
}
