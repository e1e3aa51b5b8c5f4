import { Refusal } from "../../../errors/index.js";
import { readHeader } from "../pixels/header.js";
import { makePictures } from "../pixels/make.js";
import { loadSharp } from "../pixels/sharp.js";
import { type Job, type Outcome, type Response, request } from "./messages.js";

/*
 * The program of the process that decodes pictures, which `child.ts` starts. It ends when the process that started
 * it ends or disconnects.
 */

// A terminal and some process managers signal all processes of a server; running jobs are still finished.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
// An exit would wait for pictures that are no longer wanted.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

process.on("message", async (message) => {
  const { id, job } = request.parse(message);
  const answer: Response = { id, outcome: await outcomeOf(job) };
  // A parent that has ended is noticed by the disconnection.
  process.send?.(answer, undefined, undefined, () => {});
});

// sharp is loaded while the first picture is being received. An error here shows with the picture.
loadSharp().catch(() => undefined);

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return { kind: "done", value: await run(job) };
  } catch (error) {
    if (error instanceof Refusal) {
      return { kind: "refused", code: error.code, details: error.details };
    }
    return { kind: "failed", error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function run(job: Job): Promise<unknown> {
  if (job.kind === "header") return readHeader(job.path);
  return makePictures(job.header, job.outputs);
}
