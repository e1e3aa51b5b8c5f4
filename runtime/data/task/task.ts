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

/** Does it, and writes to the descriptor of the request what becomes of it. */
export async function runTask(app: SeededApp, task: Task): Promise<void> {
  const { events, command } = task.request;
  if (command !== null) endWith(command);
  const tell = (event: object) => void writeSync(events, `${JSON.stringify(event)}\n`);
  try {
    if (task.kind === "import") return await importInto(app, task.request, tell);
    await withSession(app.services.config.database, async (session) => {
      tell(await runSeed(app, task.request, session));
    });
  } catch (error) {
    const problem = refusalOf(error, task);
    if (problem === null) throw error;
    tell({ kind: "refused", ...problem });
  }
}

/** What ended the task, where somebody can do something about it; null for a bug. An import tells the rest itself. */
function refusalOf(error: unknown, { kind }: Task): ImportProblem | null {
  return problemOf(error) ?? (kind === "seed" ? failureOf(error) : null);
}

/** Ends this process with the command that has started it: nobody would learn that rows were stored later. */
function endWith(command: number): void {
  const pipe = new Socket({ fd: command, readable: true, writable: false });
  pipe.on("error", () => {});
  pipe.on("close", () => process.exit(1));
  pipe.resume().unref();
}
