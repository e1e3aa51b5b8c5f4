import { type Database, openDatabase } from "../../../../runtime/db/index.js";
import {
  type ClaimedJob,
  type EndedTry,
  insertJob,
  type JobKind,
  type NewJob,
  openWorker,
  type Schedule,
  type Worker,
  type WorkerTimes,
} from "../../../../runtime/jobs/index.js";
import { createDatabase } from "../../../support/database/database.js";

/** A queue on a database of its own, and processes that run what is in it. */
export interface TestQueue {
  readonly db: Database;
  readonly url: string;
  add(name: string, job?: Partial<NewJob>): Promise<string>;
  /** Starts one of several processes. */
  worker(options: WorkerChoice): StartedWorker;
  /** The rows that are left, oldest first. */
  rows(): Promise<readonly Row[]>;
  /** Stops all workers and deletes all jobs. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export interface Row {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly attempt: number;
  readonly error: string | null;
  readonly key: string | null;
  readonly input: string;
}

export interface WorkerChoice {
  readonly run: (job: ClaimedJob, signal: AbortSignal) => unknown;
  readonly kinds?: Readonly<Record<string, Partial<JobKind>>>;
  readonly concurrency?: number;
  readonly schedules?: readonly Schedule[];
  readonly times?: Partial<WorkerTimes>;
}

export interface StartedWorker extends Worker {
  readonly ended: EndedTry[];
  readonly logged: object[];
}

/** Milliseconds: short, so that no test waits. */
const quick: WorkerTimes = { leaseSeconds: 2, upkeepMs: 300, pollMs: 50 };

export async function openQueue(): Promise<TestQueue> {
  const database = await createDatabase();
  const db = openDatabase({ url: database.url, poolSize: 10, prepare: true });
  const started: Worker[] = [];

  function worker({ run, kinds = { a: {} }, concurrency = 5, ...choice }: WorkerChoice) {
    const ended: EndedTry[] = [];
    const logged: object[] = [];
    const note = (details: object, message: string) => void logged.push({ ...details, message });
    const opened = openWorker({
      db,
      concurrency,
      schedules: choice.schedules ?? [],
      kinds: new Map(
        Object.entries(kinds).map(([name, kind]) => [
          name,
          { maxAttempts: 10, timeout: 60, concurrency: null, ...kind },
        ]),
      ),
      run: async (job, signal, begin) => {
        begin();
        return { input: null, value: await run(job, signal), isEnded: false };
      },
      log: { info: note, warn: note, error: note },
      onEnded: (one) => void ended.push(one),
      times: { ...quick, ...choice.times },
    });
    opened.start();
    started.push(opened);
    return { ...opened, ended, logged };
  }

  async function empty(): Promise<void> {
    await Promise.all(started.splice(0).map((one) => one.close(5_000)));
    await db.query(
      "truncate service.jobs, service.job_names, service.schedules, service.job_hours",
    );
  }

  return {
    db,
    url: database.url,
    add: (name, job = {}) =>
      insertJob(db, {
        name,
        input: "{}",
        at: null,
        key: null,
        priority: 0,
        tries: 10,
        traceparent: null,
        ...job,
      }),
    worker,
    rows: () =>
      db.query<Row>(
        "select id, name, state, attempt, error, key, input from service.jobs order by created_at, id",
      ),
    empty,
    close: async () => {
      await empty();
      await db.close();
      await database.drop();
    },
  };
}

/** A promise that others settle. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
