import { errorOf, Refusal } from "../../../errors/index.js";
import { readHeader } from "../pixels/header.js";
import { makePictures } from "../pixels/make.js";
import { loadSharp } from "../pixels/sharp.js";
import { drawingOf, type Job, type Outcome, type Response, request } from "./messages.js";

/* The program that decodes pictures, started by `child.ts`. It exits when its parent exits or disconnects. */

// A terminal and some process managers signal all processes of a server; running jobs are still finished.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
// A normal exit would wait for pictures that are no longer needed.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

process.on("message", async (message) => {
  const { id, job } = request.parse(message);
  const answer = (outcome: Outcome, then = () => {}) =>
    // If the parent has exited, `disconnect` is handled instead.
    process.send?.({ id, outcome } satisfies Response, undefined, undefined, then);
  const unwatch = watchMemory(job, (outcome) => {
    // Rendering a drawing cannot be interrupted.
    answer(outcome, () => process.kill(process.pid, "SIGKILL"));
  });
  const outcome = await outcomeOf(job);
  unwatch();
  answer(outcome);
});

// Loads sharp while the first picture is being received. An error is reported when the picture is processed.
loadSharp().catch(() => undefined);

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return { kind: "done", value: await run(job) };
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: "refused", code: error.code, details: error.details };
    }
    return { kind: "failed", error: errorOf(error) };
  }
}

/** Milliseconds. In this time drawings were measured to allocate up to 30 MB. */
const memoryInterval = 10;

/**
 * Calls `onExcess` if a drawing takes more memory than allowed; this process draws one at a time. The memory cannot be
 * predicted: an embedded picture of 300 kB may have a hundred megapixels. Returns a function that stops it.
 */
function watchMemory(job: Job, onExcess: (outcome: Outcome) => void): () => void {
  const drawing = drawingOf(job);
  if (drawing === null) return () => {};
  const most = process.memoryUsage.rss() + drawing.maxBytes;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() <= most) return;
    clearInterval(timer);
    const megabytes = Math.floor(drawing.maxBytes / 1_048_576);
    const error = `The picture needs more than ${megabytes} MB to be rendered (uploads.max_decode_mb)`;
    onExcess({ kind: "refused", code: "INVALID", details: { error } });
  }, memoryInterval);
  return () => clearInterval(timer);
}

function run(job: Job): Promise<unknown> {
  if (job.kind === "header") return readHeader(job.path, job.drawing);
  return makePictures(job.header, job.outputs);
}
