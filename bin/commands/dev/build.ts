import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { generate } from "../../../generator/generate.js";
import { type FormerFiles, putBack, writePlan } from "../../../generator/output/write.js";
import { CommandRefused } from "../../../runtime/command/exit.js";
import {
  count,
  fail,
  failProblems,
  passOnError,
  say,
  sayAside,
  warn,
} from "../../../runtime/command/report.js";
import { type Config, type Environment, readEnvironment } from "../../../runtime/config/index.js";
import { readClientFolder, readProfileNames } from "../../../runtime/config/lenient.js";
import { BlockedByRows, inspectMigrations, migrate } from "../../../runtime/migrate/index.js";
import { withGenerateLock } from "../generate/lock.js";
import { fileChanges, sayPublished, sayWritten } from "../generate/report-changes.js";
import { newCompiler } from "./compile.js";
import type { DevelopmentDatabase } from "./database.js";
import { filesOf, setAside } from "./set-aside.js";

/** An app that is ready to run. */
export interface Built {
  /** Absolute path of the compiled `server.ts`. */
  readonly entry: string;
  readonly config: Config;
  readonly environment: Environment;
}

export interface Build {
  /** Generates, migrates and compiles; prints the problems and returns null if the app cannot run. */
  run(): Promise<Built | null>;
  /** Whether a file is unchanged since the last run wrote it, or is data of the running app. */
  isOwnWork(path: string): boolean;
}

interface Generation {
  /** The previous content of the files that belong to the new migration. */
  readonly former: FormerFiles;
  /** Whether the existing migrations create the tables that the descriptors describe. */
  readonly isWanted: boolean;
}

/** Creates the build, which turns the user's files into an app that is ready to run. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what the last run wrote
export function newBuild(
  root: string,
  database: DevelopmentDatabase,
  interrupted: AbortSignal,
): Build {
  const compiler = newCompiler(root);
  const ownWork = new Map<string, string | null>();
  let storage = "storage/";

  /**
   * Returns null if nothing can be built. If the user must first consent to data loss, writes nothing; the app
   * continues with the previous schema.
   */
  function writeGenerated(): Promise<Generation | null> {
    return withGenerateLock(root, async () => {
      const generated = await generate({
        root,
        name: null,
        profiles: readProfileNames(root),
        client: readClientFolder(root),
      });
      const { problems, plan, unagreed, migration, remarks, published } = generated;
      if (problems.length > 0) {
        failProblems(problems);
        if (unagreed.length === 0 || !existsSync(join(root, "generated/app.ts"))) return null;
        sayAside(`To agree to that, run in another terminal: ${consentCommand(unagreed)}`);
        sayAside("Until then the app continues with the previous schema");
        return { former: new Map(), isWanted: false };
      }
      const changes = fileChanges(root, plan);
      const paths = plan.writes.map(({ path }) => path).filter((path) => isMigration(path));
      const former = new Map(paths.map((path) => [path, readIfExists(join(root, path))]));
      for (const { path, text } of plan.writes) ownWork.set(path, text);
      writePlan(root, plan);
      if (changes.length > 0) {
        for (const remark of remarks) warn(remark);
        sayWritten(changes, migration);
        sayPublished(published);
      }
      return { former, isWanted: migration === null };
    });
  }

  async function applyPending(url: string, { former, isWanted }: Generation): Promise<void> {
    const target = { url, directory: join(root, "migrations"), onWarning: warn };
    try {
      const { applied } = await migrate(target);
      if (applied.length > 0) say(`${count(applied.length, "migration")} applied`);
    } catch (error) {
      if (!(error instanceof BlockedByRows) || isWanted) throw error;
      // Corrected migrations would conflict with the new files, which are therefore reverted.
      for (const [path, text] of former) ownWork.set(path, text);
      putBack(root, former);
      if (former.has(sqlOf(error.migration))) throw new CommandRefused(error.message, revertedHint);
      await replaceRefused(url, error);
    }
  }

  /** Replaces a migration that fails on existing rows, if the descriptors have changed since it was written. */
  async function replaceRefused(url: string, refusal: BlockedByRows): Promise<void> {
    const { pending } = await inspectMigrations({ url, directory: join(root, "migrations") });
    const names = pending.flatMap(({ source, name }) => (source === "app" ? [name] : []));
    const refused = names.slice(names.indexOf(refusal.migration));
    const files = refused.map(sqlOf).join(", ");
    const reason = await setAside(root, refused);
    if (reason !== null) {
      throw new CommandRefused(
        refusal.message,
        `change those rows, or delete ${files} if applied nowhere: dev does not change it, since it ${reason}`,
      );
    }
    warn(refusal.message);
    for (const name of refused) {
      for (const path of filesOf(name)) ownWork.set(path, null);
    }
    sayAside(
      `${files}: refused and not applied, so it is generated again from the current descriptors;`,
    );
    sayAside("the previous one is kept in .service/set-aside");
    const generation = await writeGenerated();
    if (generation === null) throw refusal;
    await applyPending(url, generation);
  }

  return {
    async run() {
      const environment = readEnvironment(root);
      const generation = await writeGenerated();
      if (generation === null || interrupted.aborted) return null;
      const config = await database.configure(environment);
      storage = storageFolder(root, config) ?? storage;
      if (interrupted.aborted) return null;
      await applyPending(config.database.url, generation);
      const { entry, output } = await compiler.run(interrupted);
      passOnError(output);
      if (entry !== null) return { entry, config, environment };
      if (!interrupted.aborted) fail("The app does not compile");
      return null;
    },
    isOwnWork(path) {
      if (path.startsWith(storage)) return true;
      return ownWork.has(path) && ownWork.get(path) === readIfExists(join(root, path));
    },
  };
}

/** Returns the upload folder relative to the app's folder, with a trailing slash; null if it is outside. */
function storageFolder(root: string, { uploads: { storage } }: Config): string | null {
  if (storage.driver !== "disk") return null;
  const path = relative(root, storage.path).replaceAll("\\", "/");
  return path === "" || path.startsWith("../") ? null : `${path}/`;
}

function consentCommand(targets: readonly string[]): string {
  const flags = targets.map((target) => `--allow-destructive ${target}`).join(" ");
  return `npx service generate ${flags}`;
}

const revertedHint =
  "change the descriptor, or change those rows and save it again; the migration that was just written is removed";

function sqlOf(name: string): string {
  return `migrations/${name}.sql`;
}

function isMigration(path: string): boolean {
  return path.startsWith("migrations/");
}

function readIfExists(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
