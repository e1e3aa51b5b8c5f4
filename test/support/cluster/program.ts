import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, asAccount } from "../../../bin/embedded/account.js";

/** A program of the cluster that runs. */
export interface Program {
  readonly pid: number;
  isRunning(): boolean;
  /** Ends it by this signal and waits until it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

interface Start {
  readonly command: readonly [string, ...string[]];
  readonly account: Account;
  /** File of its output. */
  readonly log: string;
}

const path =
  "/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function startProgram({ command: [name, ...args], account, log }: Start): Program {
  const as = asAccount(account);
  const child: ChildProcess = spawn(name, args, {
    ...as,
    env: { ...as.env, LC_ALL: "C.UTF-8", PATH: path, HOME: "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const to = createWriteStream(log, { flags: "a" });
  child.stdout?.pipe(to, { end: false });
  child.stderr?.pipe(to, { end: false });
  const ended = once(child, "exit").then(() => to.end());
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    isRunning,
    end: async (signal = "SIGTERM") => {
      if (isRunning()) child.kill(signal);
      await ended;
    },
  };
}

/** Waits until the condition holds; fails with the words after so many seconds. */
export async function until(
  words: string,
  holds: () => Promise<boolean>,
  seconds = 60,
): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`after ${seconds} s not yet: ${words}`);
    await sleep(100);
  }
}
