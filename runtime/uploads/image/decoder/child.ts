import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { getPriority, setPriority, tmpdir } from "node:os";
import { Refusal } from "../../../errors/index.js";
import { type Job, type Outcome, type Request, response } from "./messages.js";

/** A process that decodes pictures. It starts with the first job, and exits after a period without jobs. */
export interface Child {
  /** Starts the process while a picture is being received, so that the picture need not wait for it. */
  prepare(): void;
  /** Runs the job and resolves with its result. Rejects with the job's error, or with `ChildLost`. */
  run(job: Job): Promise<unknown>;
  /** Ends the process; running jobs are lost. */
  close(): void;
}

/** The process exited before the job was done, or was killed because the job took too long. */
export class ChildLost extends Error {
  readonly reason: NodeJS.Signals | number | "timeout" | null;

  constructor(reason: ChildLost["reason"]) {
    super(`the process that decodes pictures was lost (${reason})`);
    this.name = "ChildLost";
    this.reason = reason;
  }
}

export interface ChildTimes {
  /** Timeout of a job in milliseconds. */
  readonly longest: number;
  /** Milliseconds without a job after which the process exits. */
  readonly idle: number;
}

interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (lost: ChildLost) => void;
}

/** The compiled program, even if the server runs from TypeScript sources, as in tests. */
const program = createRequire(import.meta.url).resolve("#decoder");

/**
 * The process inherits none of the server's environment variables, which keeps secrets away from libraries that parse
 * untrusted files. By default glibc keeps freed memory separately for each of libvips's dozen threads. With a single
 * arena they share it: twenty photographs of 12 megapixels take 190 MB instead of 340, in the same time.
 */
const environment = { MALLOC_ARENA_MAX: "1", TMPDIR: tmpdir() };

export interface ChildOptions {
  /** What happens to warnings that the process's libraries write to stderr. */
  readonly stderr: "inherit" | "ignore";
}

export function createChild(
  times: ChildTimes,
  options: ChildOptions = { stderr: "inherit" },
): Child {
  let current: Running | null = null;

  function running(): Running {
    current ??= start({ ...times, ...options }, (ended) => {
      if (current === ended) current = null;
    });
    return current;
  }

  return {
    prepare: () => void running(),
    run: (job) => running().run(job),
    close: () => current?.end(),
  };
}

/**
 * The nice value relative to the server's, so that requests do not wait for pictures if CPUs are scarce. Measured with
 * two CPUs and 16 clients that upload photographs: with 0 the median time of single reads was twice that without
 * uploads, with 5 or 10 the same. With 10 the pictures took twice as long as with 5.
 */
const nicer = 5;

interface Running {
  run(job: Job): Promise<unknown>;
  end(): void;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the state of a process
function start(
  { longest, idle, stderr }: ChildTimes & ChildOptions,
  onEnd: (ended: Running) => void,
): Running {
  const child = fork(program, [], {
    env: environment,
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", stderr, "ipc"],
  });
  giveWay(child);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let idling: NodeJS.Timeout | undefined;
  const self: Running = { run, end };

  // The process alone does not keep the server alive; a request that waits for a picture does.
  child.unref();
  child.channel?.unref();
  rest();
  child.on("message", (message) => {
    const { id, outcome } = response.parse(message);
    waiting.get(id)?.settle(outcome);
  });
  // Unlike `exit`, `close` is emitted after the last message. A process that cannot be started emits only `error`.
  child.once("close", (status, signal) => lose(new ChildLost(signal ?? status)));
  child.once("error", () => lose(new ChildLost(null)));

  function run(job: Job): Promise<unknown> {
    clearTimeout(idling);
    const id = ++last;
    return new Promise<Outcome>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.get(id)?.fail(new ChildLost("timeout"));
        kill(child);
      }, longest);
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(id);
        if (waiting.size === 0) rest();
      };
      waiting.set(id, {
        settle: (outcome) => {
          leave();
          resolve(outcome);
        },
        fail: (lost) => {
          leave();
          reject(lost);
        },
      });
      // If the process has exited, its `close` event is handled instead.
      child.send({ id, job } satisfies Request, () => {});
    }).then(resultOf);
  }

  function rest(): void {
    clearTimeout(idling);
    idling = setTimeout(end, idle).unref();
  }

  function end(): void {
    clearTimeout(idling);
    onEnd(self);
    if (child.connected) child.disconnect();
  }

  function kill(child: ChildProcess): void {
    onEnd(self);
    child.kill("SIGKILL");
  }

  function lose(lost: ChildLost): void {
    onEnd(self);
    for (const { fail } of waiting.values()) fail(lost);
    clearTimeout(idling);
  }

  return self;
}

/**
 * On Linux each thread has its own priority, and a new thread inherits that of its creator; here there is still only
 * one.
 */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(19, getPriority() + nicer));
  } catch {
    // The process has exited, or the system forbids changing priorities: pictures are processed at normal priority.
  }
}

function resultOf(outcome: Outcome): unknown {
  switch (outcome.kind) {
    case "done":
      return outcome.value;
    case "refused":
      throw new Refusal(outcome.code, outcome.details);
    case "failed":
      throw outcome.error;
    default:
      return outcome satisfies never;
  }
}
