import { type Listened, listen } from "../support/processes/listened.js";
import { startService } from "./service.js";

/** A `service dev` that runs. */
export interface Dev extends Listened {
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit status, undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

export function startDevIn(
  root: string,
  env: Readonly<Record<string, string>> = { PORT: "0" },
  args: readonly string[] = [],
): Dev {
  const child = startService(root, ["dev", ...args], { env });
  const ended = child.then(({ exitCode }) => exitCode);
  return {
    ...listen({ output: child.all, ended, end: () => child.kill("SIGTERM") }),
    kill: (signal) => child.kill(signal),
    ended,
  };
}

/** Waits for the next server to answer; the address is its `/api`. */
export async function answersOf(dev: Dev): Promise<string> {
  const [, address = ""] = await dev.sees(/answers on (http:\S+\/api)/);
  return address;
}
