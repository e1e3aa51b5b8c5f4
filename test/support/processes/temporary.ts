import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";
import { removeAppFolder } from "../apps/app-folder.js";
import { isRunning } from "./processes.js";

const memory = "/dev/shm";
/** Bytes. A run needs about a third of it. */
const memoryNeeded = 3 * 2 ** 30;

/** The same system's folder on a disk, for what is linked to files of the checkout. */
export const diskFolder = "/var/tmp";

/**
 * Where there is room, a run has its temporary files in memory, PostgreSQL's too: the thousands of app folders and
 * databases are made ten times as fast there. They go with this process.
 */
export function keepTemporaryFilesInMemory(environment: NodeJS.ProcessEnv): void {
  const prefix = join(memory, `service-run-${process.pid}-`);
  if (!existsSync(memory) || environment.TMPDIR?.startsWith(prefix)) return;
  removeFoldersOfKilledRuns();
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < memoryNeeded) return;
  const folder = realpathSync(mkdtempSync(prefix));
  // As /tmp is: some processes of tests belong to other accounts.
  chmodSync(folder, 0o1777);
  environment.TMPDIR = folder;
  // A killed run's processes may still write for a moment.
  const options = { recursive: true, force: true, maxRetries: 10 };
  process.once("exit", () => rmSync(folder, options));
}

function removeFoldersOfKilledRuns(): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(/^service-run-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) removeIfPossible(join(memory, name));
  }
}

/** A small disk of a killed test stays mounted there, and cannot be removed. */
function removeIfPossible(folder: string): void {
  try {
    removeAppFolder(folder);
  } catch {}
}
