import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { readEnvironment } from "../../../runtime/config/index.js";
import type { ImportEvent, ImportRequest } from "../../../runtime/data/index.js";
import { withDatabase } from "../../app/database.js";
import { CommandRefused } from "../../exit.js";
import { startRate } from "../../progress.js";
import { passOnError } from "../../report.js";

/** Where `npm run build` puts the app's own `server.ts`. */
const built = "dist/server.js";

/** The file descriptor on which the app writes what becomes of the rows: its own code may print. */
const events = 3;

/** That of a pipe which ends with this process, so that the app ends too when this one is killed. */
const command = 4;

/** Megabytes of JavaScript values of the app: this process and its buffers come on top. */
const heap = 96;

/** What the command asks for, besides how the app tells it what becomes of it. */
export type AppRequest = Omit<ImportRequest, "events" | "command">;

type End = Exclude<ImportEvent, { kind: "progress" }>;

/** Runs the built app so that it imports instead of serving; `bytes` are those of the file, where they are known. */
export async function askApp(
  root: string,
  request: AppRequest,
  bytes: number | null,
): Promise<End> {
  if (!existsSync(join(root, built))) {
    throw new CommandRefused(`There is no ${built}`, "build the app first: npm run build");
  }
  return withDatabase(root, async (url) => {
    const wanted: ImportRequest = { ...request, events, command };
    const child = spawn(
      process.execPath,
      ["--enable-source-maps", `--max-old-space-size=${heap}`, "--max-semi-space-size=8", built],
      {
        cwd: root,
        stdio: [request.path === null ? "inherit" : "ignore", "pipe", "pipe", "pipe", "pipe"],
        env: {
          ...readEnvironment(root),
          DATABASE_URL: url,
          SERVICE_IMPORT: JSON.stringify(wanted),
        },
      },
    );
    return endOf(child, bytes);
  });
}

/** Shows the progress until the app has ended; what ends this process ends it first. */
async function endOf(child: ChildProcess, bytes: number | null): Promise<End> {
  const rate = startRate("rows");
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", passOnError);
  }
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  let end: End | null = null;
  const listed = child.stdio[events] as Readable;
  const lines = createInterface({ input: listed });
  lines.on("line", (line) => {
    const event = JSON.parse(line) as ImportEvent;
    if (event.kind !== "progress") end = event;
    else rate.show(event.rows, bytes === null || bytes === 0 ? null : event.offset / bytes);
  });
  try {
    const code = await closed;
    if (end !== null) return end;
    throw code === 0
      ? new CommandRefused(`${built} ended without listening`, "call listen in server.ts")
      : new CommandRefused("The app ended before the import did", "what it says is above");
  } finally {
    rate.end();
    lines.close();
    for (const signal of signals) process.off(signal, pass);
  }
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
