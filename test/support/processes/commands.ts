import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { execa } from "execa";

const dist = resolve(import.meta.dirname, "../../../dist");

/** The built command. */
export const program = join(dist, "bundle/service.js");

/** Variables that a command must not inherit from the environment of the tests. */
export const plain = {
  NODE_ENV: undefined,
  DATABASE_URL: undefined,
  PORT: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
};

export interface CommandLine {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly input?: string;
}

/** Result of a command; its outputs without their last line feed. */
export interface Outcome {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Message of the process that runs commands if one threw, or left a resource open. */
export interface Broken {
  readonly broken: string;
}

/**
 * Runs the built command, in a process that has run others: to start one costs more than most commands. Alone run
 * commands beside another one, `db psql`, which passes its own outputs on, `dev`, which ends its process a second after
 * its last word, and those with variables that Node or the driver reads once.
 */
export function runCommand(line: CommandLine): Promise<Outcome> {
  const isReadOnce = Object.entries(line.env).some(
    ([name, value]) => /^(NODE_(?!ENV$)|PG)/.test(name) && value !== process.env[name],
  );
  const isSpecial = line.args.some((arg) => arg === "psql" || arg === "dev");
  const isAlone = isBusy || isReadOnce || isSpecial;
  return isAlone ? runAlone(line) : runShared(line);
}

async function runAlone({ args, env, cwd, input = "" }: CommandLine): Promise<Outcome> {
  const options = {
    input,
    extendEnv: false,
    env,
    reject: false,
    ...(cwd !== undefined && { cwd }),
  };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], options);
  return { exitCode, stdout, stderr };
}

let host: ChildProcess | null = null;
let isBusy = false;

async function runShared(line: CommandLine): Promise<Outcome> {
  isBusy = true;
  host ??= start();
  const settled = new AbortController();
  const { signal } = settled;
  try {
    host.send({ cwd: process.cwd(), input: "", ...line });
    const ended = once(host, "exit", { signal }).then(([code, killedBy]) => {
      throw new Error(`the process ended (${killedBy ?? code}) that ran: ${line.args.join(" ")}`);
    });
    const [outcome]: (Outcome | Broken)[] = await Promise.race([
      once(host, "message", { signal }),
      ended,
    ]);
    if (outcome === undefined) throw new Error("no outcome");
    if ("broken" in outcome) throw new Error(`${line.args.join(" ")}: ${outcome.broken}`);
    return outcome;
  } finally {
    settled.abort();
    isBusy = false;
  }
}

/** It ends with this process, whose end closes the channel between them. */
function start(): ChildProcess {
  const started = fork(join(dist, "test/support/processes/command-host.js"), {
    execArgv: [],
    env: { ...process.env, ...plain },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  started.unref();
  started.channel?.unref();
  started.once("exit", () => {
    host = null;
  });
  return started;
}
