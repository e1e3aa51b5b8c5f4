import { passwordsWaiting } from "../auth/index.js";
import { systemClock } from "../clock/index.js";
import { type Database, openDatabase, type PoolNumbers } from "../db/index.js";
import { type Gate, isAllowed } from "../http/index.js";
import { keepingMailer, openMailer } from "../mail/index.js";
import type { Release } from "../migrate/at-start.js";
import {
  type Checks,
  type Counts,
  type Drain,
  type Metrics,
  newChecks,
  newCounts,
  newDrain,
  openMetrics,
  storedCounts,
} from "../operation/index.js";
import { type Log, type ServerServices, visitor } from "../own-code/index.js";
import { fileSigner, picturesWaiting, type Uploads } from "../uploads/at-start.js";
import { newDesk } from "./jobs/desk.js";
import { openJobs, type RunningJobs } from "./jobs/open-jobs.js";
import { version } from "./routes/system-routes.js";
import { type AppOptions, type ReadOptions, readOptions } from "./start/app-code.js";
import { type AppCodeServices, addAppCode } from "./start/app-code-services.js";
import { refuseLostParts, refusePending, releaseIn } from "./start/folder.js";
import { gateOf } from "./start/gate.js";
import { canStore, type Generated, refuseOldCode } from "./start/generated.js";
import { openLog } from "./start/log.js";
import { type Followers, logsChanges, openChanges, positionIn } from "./start/open-changes.js";
import { openFiles } from "./start/open-files.js";
import type { Process } from "./start/process.js";
import { refuseHiddenWords, refuseOtherAccounts } from "./start/start-checks.js";

/** An app in this process, before it has routes. */
export interface Opened extends Followers {
  readonly own: AppCodeServices;
  readonly code: ReadOptions;
  readonly release: Release;
  readonly descriptors: readonly object[];
  readonly gate: Gate;
  readonly uploads: Uploads;
  /** Null for an app without jobs. */
  readonly jobs: RunningJobs | null;
  readonly checks: Checks;
  readonly drain: Drain;
  readonly counts: Counts;
  /** Null if metrics are not served. */
  readonly metrics: Metrics | null;
}

/** Opens everything from the configuration to the services; each part uses those opened before it. */
export async function openApp(
  process: Process,
  generated: Generated,
  options: AppOptions,
): Promise<Opened> {
  const { root, role, config } = process;
  const { descriptors = refuseOldCode(), resources: definitions } = generated;
  const release = releaseIn(root, generated.migrations);
  const fields = definitions.flatMap(({ uploads = [] }) => uploads);
  const hasChanges = logsChanges(definitions);
  const notesWriter = hasChanges || definitions.some(({ table }) => table.trash !== undefined);
  refuseOtherAccounts(config.auth, definitions);
  const gateFor = gateOf(config, options.authenticate);
  const code = await readOptions(options, definitions);
  refuseHiddenWords(code.policies, definitions);

  const log = openLog(config, role);
  const counts = newCounts(systemClock);
  if (isChecking(process)) {
    for (const { message, hint } of [...config.warnings, ...code.warnings]) {
      log.warn({ hint }, message);
    }
    if (isAllowed(visitor, config.auth.profiles)) log.warn(publicProfiles);
  }
  const { db, pool } = await openChecked(process, {
    ...{ log, counts, release, notesWriter, definitions },
  });
  const mailer = openMailer({ config, db, log });
  const server: ServerServices = {
    ...{ config, db, clock: systemClock, log },
    signFiles: fileSigner({ config, clock: systemClock }, fields),
    ...(hasChanges && { logPosition: await positionIn(db, descriptors) }),
    // A primary never starts its mailer.
    mailer: role.kind === "test" ? keepingMailer(mailer) : mailer,
  };
  const gate = gateFor(server);
  const uploads = openFiles(server, fields, { definitions, gate });
  const desk = newDesk(code.jobs);
  const own = addAppCode(server, code, { definitions, filesOf: uploads.filesFor, jobs: desk });
  const { services } = own;

  const isShown = role.kind !== "primary";
  const hasJobs = code.jobs.kinds.size > 0;
  const metrics = isShown
    ? await openMetrics(config.server.metrics, { hasJobs, hasChanges })
    : null;
  const jobs = openJobs(services, code.jobs, metrics?.countTry);
  if (jobs !== null) desk.onStored(jobs.wake);
  const followers = await openChanges({
    ...{ services, gate, definitions, descriptors },
    onDelay: (seconds) => metrics?.noteDelay(seconds),
    onEnded: (result) => metrics?.countDelivery(result),
  });
  const tryStorage = canStore(config, fields) ? uploads.tryStorage : null;
  const checks = newChecks({ config, db, log, release, tryStorage });
  metrics?.addGauges({
    ...{ version, checks, pool },
    waiting: { passwords: passwordsWaiting, pictures: picturesWaiting },
    ...storedCounts(db, { running: jobs, webhooks: followers.webhooks }),
    streams: followers.streams?.count ?? null,
  });
  return {
    ...{ own, code, release, descriptors, gate, uploads, jobs, checks, counts, metrics },
    ...{ ...followers, drain: newDrain() },
  };
}

const publicProfiles =
  "auth.profiles is public: callers without a token may read names and pictures of linked accounts";

/**
 * Whether to check the database. A worker relies on its primary's check, so that a replacement can start while the
 * database is unavailable.
 */
function isChecking({ role }: Process): boolean {
  return role.kind === "worker" ? role.isOfNewRelease : role.kind !== "routes";
}

interface DatabaseParts {
  readonly log: Log;
  readonly counts: Counts;
  readonly release: Release;
  /** Whether anything in the database records who wrote it. */
  readonly notesWriter: boolean;
  readonly definitions: Generated["resources"];
}

/** Opens the database, and prevents the start if migrations are missing. */
async function openChecked(
  process: Process,
  { log, counts, release, notesWriter, definitions }: DatabaseParts,
): Promise<{ readonly db: Database; readonly pool: () => PoolNumbers }> {
  const { role, config } = process;
  const opened = open();
  if (isChecking(process)) {
    await refusePending(opened.db, release, (warning) => log.warn(warning));
    await refuseLostParts(opened.db, definitions);
  }
  if (role.kind !== "primary") return opened;
  // A primary holds no connection, unless app code needs one.
  await opened.db.close();
  return open();

  function open() {
    let pool = (): PoolNumbers => ({ idle: 0, total: 0, max: 0, pending: 0 });
    const db = openDatabase({
      ...config.database,
      ...{ log, onSlow: counts.slow.note, notesWriter },
      isTimed: config.environment === "development",
      onPool: (numbers) => {
        pool = numbers;
      },
    });
    return { db, pool };
  }
}
