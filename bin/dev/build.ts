import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generate } from "../../generator/generate.js";
import { writePlan } from "../../generator/output/write.js";
import { type Config, type Environment, readEnvironment } from "../../runtime/config/index.js";
import { migrate } from "../../runtime/db/index.js";
import { fileChanges, sayWritten } from "../changes.js";
import { count, fail, failProblems, passOnError, say, warn } from "../report.js";
import { newCompiler } from "./compile.js";
import type { DevelopmentDatabase } from "./database.js";

/** An app that is ready to run. */
export interface Built {
  /** The compiled `server.ts`, absolute. */
  readonly entry: string;
  readonly config: Config;
  readonly environment: Environment;
}

export interface Build {
  /** Generates, migrates and compiles; null, and the problems printed, when that cannot be run. */
  run(): Promise<Built | null>;
  /** Whether a file is as the last run itself wrote it, or is data of the running app. */
  isOwnWork(path: string): boolean;
}

/** The steps from the user's files to an app that is ready to run. */
export function newBuild(
  root: string,
  database: DevelopmentDatabase,
  interrupted: AbortSignal,
): Build {
  const compiler = newCompiler(root);
  const ownWork = new Map<string, string>();
  let storage = "storage/";

  async function writeGenerated(): Promise<boolean> {
    const { problems, plan, migration } = await generate({ root, name: null });
    if (problems.length > 0) {
      failProblems(problems);
      return false;
    }
    const changes = fileChanges(root, plan);
    for (const { path, text } of plan.writes) ownWork.set(path, text);
    writePlan(root, plan);
    if (changes.length > 0) sayWritten(changes, migration);
    return true;
  }

  return {
    async run() {
      if (!(await writeGenerated()) || interrupted.aborted) return null;
      const environment = readEnvironment(root);
      const config = await database.configure(environment);
      storage = storageFolder(root, config) ?? storage;
      if (interrupted.aborted) return null;
      const { applied } = await migrate({
        url: config.database.url,
        directory: join(root, "migrations"),
        onWarning: warn,
      });
      if (applied.length > 0) say(`${count(applied.length, "migration")} applied`);
      const { entry, output } = await compiler.run(interrupted);
      passOnError(output);
      if (entry !== null) return { entry, config, environment };
      if (!interrupted.aborted) fail("The app does not compile to anything that can run");
      return null;
    },
    isOwnWork(path) {
      if (path.startsWith(storage)) return true;
      const text = ownWork.get(path);
      return text !== undefined && text === readIfThere(join(root, path));
    },
  };
}

/** The folder of uploads relative to the app's, with a slash at its end; null when it is elsewhere. */
function storageFolder(root: string, { uploads: { storage } }: Config): string | null {
  if (storage.driver !== "disk") return null;
  const path = relative(root, storage.path).replaceAll("\\", "/");
  return path === "" || path.startsWith("../") ? null : `${path}/`;
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
