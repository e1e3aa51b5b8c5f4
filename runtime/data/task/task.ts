import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Environment } from "../../config/index.js";
import { withSession } from "../../db/index.js";
import { failureOf, type ImportProblem, problemOf } from "../import/problem.js";
import { type ImportRequest, importWanted } from "../import/request.js";
import { importInto } from "../import/start.js";
import { type SeedRequest, seedWanted } from "../seed/request.js";
import { runSeed, type SeededApp } from "../seed/run.js";

/** What the built app is to do instead of serving. */
export type Task =
  | { readonly kind: "import"; readonly request: ImportRequest }
  | { readonly kind: "seed"; readonly request: SeedRequest };

/** The task of this process; null for one that is to do something else. */
export function taskWanted(environment: Environment): Task | null {
  const importing = importWanted(environment);
  if (importing !== null) return { kind: "import", request: importing };
  const seeding = seedWanted(environment);
  return seeding === null ? null : { kind: "seed", request: seeding };
}

/** Runs the task, and writes its events to the file descriptor of the request. */
export async function runTask(app: SeededApp, task: Task): Promise<void> {
  const { events, command } = task.request;
  if (command !== null) endWith(command);
  const report = (event: object) => void writeSync(events, `${JSON.stringify(event)}\n`);
  try {
    if (task.kind === "import") return await importInto(app, task.request, report);
    await withSession(app.services.config.database, async (session) => {
      report(await runSeed(app, task.request, session));
    });
  } catch (error) {
    const problem = refusalOf(error, task);
    if (problem === null) throw error;
    report({ kind: "refused", ...problem });
  }
}

/** Why the task ended early; null for a bug. Once an import has begun, it reports that itself. */
function refusalOf(error: unknown, { kind }: Task): ImportProblem | null {
  return problemOf(error) ?? (kind === "seed" ? failureOf(error) : null);
}

/** Ends this process when the command that started it ends: otherwise rows would be stored later without a report. */
function endWith(command: number): void {
  const pipe = new Socket({ fd: command, readable: true, writable: false });
  pipe.on("error", () => {});
  pipe.on("close", () => process.exit(1));
  pipe.resume().unref();
}
