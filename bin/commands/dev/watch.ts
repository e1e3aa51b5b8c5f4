import { once } from "node:events";
import { type Dirent, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FSWatcher, watch } from "chokidar";
import { warn } from "../../../runtime/command/report.js";

/** The user's changes in the app's folder. */
export interface Changes {
  /** Waits for changes since the last call, and then until they pause; returns an empty list once closed. */
  next(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Milliseconds without a change that end a batch, so that a formatting run or a branch switch counts as one change. */
const quietMs = 100;

/** Milliseconds after which a new folder is read again, to find entries that the watcher missed. */
const secondLooks = [50, 1_000];

/** Watches descriptors, settings, migrations and code, but not the tool's own folders. */
export async function watchApp(
  root: string,
  isOwnWork: (path: string) => boolean,
): Promise<Changes> {
  const changed = new Set<string>();
  let isClosed = false;
  let wake = () => {};

  const watcher = watch(root, {
    ignoreInitial: true,
    ignored: (path, stats) => isIgnored(pathIn(root, path), { isFile: stats?.isFile() ?? false }),
  });
  watcher.on("error", (error) => warn(`Changes may go unnoticed: ${error}`));
  await once(watcher, "ready");
  const note = (absolute: string) => {
    const path = pathIn(root, absolute);
    if (!isWatched(path) || isOwnWork(path)) return;
    changed.add(path);
    wake();
  };
  watcher.on("all", (_event, absolute) => note(absolute));
  watcher.on("addDir", (directory) => {
    for (const ms of secondLooks) setTimeout(addMissed, ms, watcher, directory, note).unref();
  });

  return {
    async next() {
      if (!isClosed && changed.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      for (let size = -1; !isClosed && size !== changed.size; ) {
        size = changed.size;
        await sleep(quietMs);
      }
      const paths = isClosed ? [] : [...changed].sort();
      changed.clear();
      return paths;
    },
    async close() {
      isClosed = true;
      wake();
      await watcher.close();
    },
  };
}

/**
 * Watches entries that chokidar 5.0.0 misses in a new folder. It reads a folder before watching it, and overlooks
 * entries created in between, such as the inner of two folders created at once.
 */
function addMissed(watcher: FSWatcher, directory: string, note: (path: string) => void): void {
  if (watcher.closed) return;
  const watched = watcher.getWatched();
  for (const entry of entriesIn(directory)) {
    if (watched[entry.parentPath]?.includes(entry.name) === true) continue;
    const path = join(entry.parentPath, entry.name);
    watcher.add(path);
    if (entry.isFile()) note(path);
  }
}

/** Returns an empty list if the folder no longer exists. */
function entriesIn(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

function pathIn(root: string, path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}

function isIgnored(path: string, { isFile }: { readonly isFile: boolean }): boolean {
  return /^(?:generated|dist|storage)(?:\/|$)/.test(path) || hidden.test(path)
    ? path !== ".env"
    : isFile && !isWatched(path);
}

const hidden = /(?:^|\/)(?:node_modules|\.[^/]+)(?:\/|$)/;

/**
 * Whether a file is watched. Of data files, only those that the tool reads are watched, as the running app may write
 * others.
 */
function isWatched(path: string): boolean {
  return settings.has(path) || input.test(path) || code.test(path);
}

const settings: ReadonlySet<string> = new Set([
  ".env",
  "package.json",
  "service.yaml",
  "tsconfig.json",
]);
const input = /^(?:resources|migrations|schemas|seed)\/.*\.(?:json|ya?ml|sql)$/;
const code = /\.[cm]?[jt]s$/;
