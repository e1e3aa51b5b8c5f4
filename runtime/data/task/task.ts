import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { withSession } from "../../db/index.js";
import { failureOf, type ImportProblem, problemOf } from "../import/problem.js";
import { importInto } from "../import/start.js";
import { runSeed, type SeededApp } from "../seed/run.js";
import type { Task } from "./wanted.js";

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

/** Returns why the task ended early; null for a bug, and for an import that has started, which reports this itself. */
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
