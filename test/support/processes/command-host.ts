import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../../../bin/program.js";
import { setAppFolder } from "../../../runtime/command/app/command-line.js";
import type { Broken, CommandLine, Outcome } from "./commands.js";

// A process that runs one command after another, each as if in a process of its own: without this one's start,
// which costs more than most commands.

/** Time for a command's connections, timers and children to end after its last output. */
const lingerMs = 5_000;

process.on("message", async (line: Required<CommandLine>) => {
  process.send?.(await outcomeOf(line).catch(brokenBy));
});

process.on("disconnect", () => process.exit());

/** Sent in place of an outcome: what was thrown says more than this process's end. */
function brokenBy(error: unknown): Broken {
  return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

async function outcomeOf({ args, env, cwd, input }: Required<CommandLine>): Promise<Outcome> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  setAppFolder(null);
  const before = openResources();
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  try {
    const exitCode = await run(args);
    const left = await leftOpen(before);
    if (left.length > 0) throw new Error(`the command would not end: ${left.join(", ")} is open`);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
  }
}

/** Resources that keep a process running, by type. */
function openResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo())
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** What keeps this process running that did not before: a process of the command's own would not end. */
async function leftOpen(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const deadline = performance.now() + lingerMs;
  for (;;) {
    const left = [...openResources()]
      .filter(([type, count]) => count > (before.get(type) ?? 0))
      .map(([type]) => type);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(2);
  }
}

function capture(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Uint8Array));
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  };
  return {
    text: () => Buffer.concat(chunks).toString().replace(/\n$/, ""),
    restore: () => {
      stream.write = write;
    },
  };
}
