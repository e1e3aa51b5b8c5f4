import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Environment, readEnvironment } from "../../config/index.js";
import { CommandRefused } from "../exit.js";
import { builtServer } from "./built-server.js";
import { withDatabase } from "./database.js";

/** The file descriptor to which the app writes its events, because app code may print to standard output. */
const events = 3;

/** The file descriptor of a pipe that closes when this process ends, so that the app stops even if it is killed. */
const command = 4;

/** Maximum heap size of the app in megabytes, in addition to this process and its buffers. */
const heap = 96;

/** An event that the app writes: `progress` during its work, another kind at the end. */
export interface AppEvent {
  readonly kind: string;
}

/** A task that the built app performs instead of serving requests. */
export interface AppTask<Event extends AppEvent> {
  readonly variable: string;
  /** The name of the task in messages: `the import`. */
  readonly name: string;
  /** Does not include the file descriptors by which the app and the command detect each other's end. */
  readonly request: object;
  readonly readsInput?: true;
  onProgress?(event: Event): void;
  onOutput(text: string): void;
}

/** Runs the app, as built by `npm run build`, to perform the task; resolves with its last event. */
export function askBuiltApp<Event extends AppEvent>(
  root: string,
  task: AppTask<Event>,
): Promise<Event> {
  const built = builtServer(root);
  return withDatabase(root, (url) => {
    const env = { ...readEnvironment(root), DATABASE_URL: url };
    return askApp({ root, entry: built, env }, task);
  });
}

export interface RunnableApp {
  readonly root: string;
  readonly entry: string;
  readonly env: Environment;
}

/** Runs an app to perform the task; a signal to terminate this process ends the app first. */
export async function askApp<Event extends AppEvent>(
  { root, entry, env }: RunnableApp,
  { variable, name, request, readsInput, onProgress, onOutput }: AppTask<Event>,
): Promise<Event> {
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", `--max-old-space-size=${heap}`, "--max-semi-space-size=8", entry],
    {
      cwd: root,
      stdio: [readsInput ? "inherit" : "ignore", "pipe", "pipe", "pipe", "pipe"],
      env: { ...env, [variable]: JSON.stringify({ ...request, events, command }) },
    },
  );
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding("utf8").on("data", onOutput);
  }
  const lines = createInterface({ input: child.stdio[events] as Readable });
  let last: Event | null = null;
  lines.on("line", (line) => {
    const event = JSON.parse(line) as Event;
    if (event.kind === "progress") onProgress?.(event);
    else last = event;
  });
  try {
    const code = await closed(child);
    if (last !== null) return last;
    throw code === 0
      ? new CommandRefused(`${entry} exited without listening`, "call listen in server.ts")
      : new CommandRefused(`The app exited before ${name} finished`, "its output is above");
  } finally {
    lines.close();
    for (const signal of signals) process.off(signal, pass);
  }
}

function closed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
