import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Refusal } from "../../../../../runtime/errors/index.js";
import { newLog } from "../../../../../runtime/own-code/index.js";
import {
  type DecoderProcess,
  openDecoder,
} from "../../../../../runtime/uploads/image/decoder/open.js";
import { processImage } from "../../../../../runtime/uploads/image/process.js";
import { fields, pictureFolder, profileOf } from "../../../../support/pictures/pictures.js";
import { decodersOf, isRunning } from "../../../../support/processes/processes.js";

const profile = profileOf({ width: 100, height: 100, fit: "contain" });
const unavailable = new Refusal("UNAVAILABLE", { retryAfter: 1 });
const log = newLog({ logLevel: "silent" });
let folder: Awaited<ReturnType<typeof pictureFolder>>;
let decoder: DecoderProcess;

beforeAll(async () => {
  folder = await pictureFolder();
});
beforeEach(() => {
  decoder = openDecoder(log);
});
afterEach(async () => {
  decoder.close();
  await expect.poll(processes).toEqual([]);
});
afterAll(() => folder.remove());

function processes(): readonly number[] {
  return decodersOf(process.pid);
}

/** Never 0, to which a signal would be one to all processes of this run. */
function theProcess(): number {
  const [pid] = processes();
  if (pid === undefined) throw new Error("No process decodes");
  return pid;
}

async function photo(): Promise<string> {
  return folder.save(fields({ width: 300, height: 200 }).png());
}

/** Sends every process that decodes that signal, those too that begin later, until the work has ended. */
async function under<T>(signal: NodeJS.Signals, work: Promise<T>): Promise<T | unknown> {
  let isOver = false;
  const outcome = work
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    for (const pid of processes()) process.kill(pid, signal);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return outcome;
}

test("a picture is processed or refused in another process exactly as in this one", async () => {
  const path = await photo();
  expect(await processImage(path, profile, { decoder })).toEqual(await processImage(path, profile));
  const damaged = await folder.write(Buffer.from("no picture"));
  const [there, here] = await Promise.all(
    [{ decoder }, {}].map((where) => processImage(damaged, profile, where).catch((error) => error)),
  );
  expect(there).toBeInstanceOf(Refusal);
  expect(there).toEqual(here);
});

test("an error that is not the picture's fault is rethrown", async () => {
  const missing = processImage("/no/such/file", profile, { decoder });
  await expect(missing).rejects.toThrow("ENOENT: no such file or directory, open '/no/such/file'");
  await expect(missing).rejects.not.toBeInstanceOf(Refusal);
});

test("requests come before pictures if processors are scarce", async () => {
  await processImage(await photo(), profile, { decoder });
  const [pid] = processes();
  expect(pid && getPriority(pid)).toBe(Math.min(19, getPriority() + 5));
});

test("the process has none of the server's variables", async () => {
  await decoder.readHeader(await photo());
  const [pid] = processes();
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
  // The last two are Node's own, for the channel.
  expect(variables.map((variable) => variable.split("=")[0]).sort()).toEqual([
    "MALLOC_ARENA_MAX",
    "NODE_CHANNEL_FD",
    "NODE_CHANNEL_SERIALIZATION_MODE",
    "TMPDIR",
  ]);
});

test("pictures in progress when the process crashes are processed by another", async () => {
  const path = await photo();
  await decoder.readHeader(path);
  const pid = theProcess();
  process.kill(pid, "SIGSTOP");
  const made = [1, 2].map(() => processImage(path, profile, { decoder }));
  await new Promise(setImmediate);
  process.kill(pid, "SIGSEGV");
  process.kill(pid, "SIGCONT");
  expect(await Promise.all(made)).toEqual(Array(2).fill(await processImage(path, profile)));
});

test("refuses a picture that crashes the process whenever it is decoded, and continues with the next", async () => {
  const path = await photo();
  const crashed = await under("SIGSEGV", decoder.readHeader(path));
  const error = "The picture is damaged, or of an unsupported kind";
  expect(crashed).toEqual(new Refusal("INVALID", { error }));
  await expect(processImage(path, profile, { decoder })).resolves.toBeDefined();
});

test("answers 503 if the system ends the process, as without memory", async () => {
  expect(await under("SIGKILL", decoder.readHeader(await photo()))).toEqual(unavailable);
});

test("refuses a picture that never finishes, and continues with the next", async () => {
  const path = await photo();
  // Long enough for the process to start on a busy machine.
  decoder = openDecoder(log, { longest: 10_000, idle: 60_000 });
  await decoder.readHeader(path);
  const pid = theProcess();
  process.kill(pid, "SIGSTOP");
  await expect(decoder.readHeader(path)).rejects.toEqual(
    new Refusal("INVALID", { error: "The picture takes too long to decode" }),
  );
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(decoder.readHeader(path)).resolves.toBeDefined();
});

test("the process ends after some time without a picture, and the next picture starts another", async () => {
  const path = await photo();
  decoder = openDecoder(log, { longest: 60_000, idle: 200 });
  await decoder.readHeader(path);
  await expect.poll(processes).toEqual([]);
  await expect(decoder.readHeader(path)).resolves.toBeDefined();
});

test("the library is loaded in the other process when a picture is announced, and never in the server", async () => {
  const built = new URL(
    "../../../../../dist/runtime/uploads/image/decoder/open.js",
    import.meta.url,
  );
  const program = `
    import { readFileSync } from "node:fs";
    const { openDecoder } = await import(process.argv[1]);
    const decoder = openDecoder(console);
    const children = () => readFileSync("/proc/self/task/" + process.pid + "/children", "utf8");
    console.log(children());
    decoder.prepare();
    const [child] = children().split(" ");
    while (!readFileSync("/proc/" + child + "/maps", "utf8").includes("libvips")) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { size } = await decoder.readHeader(process.argv[2]);
    console.log(size.width, process.report.getReport().sharedObjects.some((path) => /vips/.test(path)));
  `;
  // It ends by itself: the process that decodes does not keep another one alive.
  const { stdout } = await execa(process.execPath, [
    ...["--input-type=module", "--eval", program],
    ...[fileURLToPath(built), await photo()],
  ]);
  expect(stdout).toBe("\n300 false");
});
