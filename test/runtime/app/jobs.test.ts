import { expect, test } from "vitest";
import { z } from "zod";
import { type AnySchedule, readJobs } from "../../../runtime/app/jobs/read.js";

const input = z.object({ n: z.number().optional() });
const run = () => {};
const jobs = { a: { input, run } };

test("omitted options have their defaults", async () => {
  const { kinds, schedules, problems } = await readJobs(
    { a: { input, run }, b: { input, run, maxAttempts: 1, timeout: 86_400, concurrency: 2 } },
    { s: { job: "a", cron: "@daily", catchUp: "90m", input: { n: 1 } } },
  );
  expect(problems).toEqual([]);
  expect([...kinds]).toEqual([
    ["a", { maxAttempts: 10, timeout: 60, concurrency: null }],
    ["b", { maxAttempts: 1, timeout: 86_400, concurrency: 2 }],
  ]);
  expect(schedules).toMatchObject([
    { name: "s", job: "a", input: '{"n":1}', catchUpMs: 5_400_000, overlap: false },
  ]);
});

test("the former names of options are accepted, with one warning each", async () => {
  const job = { input, run, tries: 3, seconds: 5, together: 2 };
  const { jobs: read, kinds, problems, warnings } = await readJobs({ a: job, b: job }, {});
  expect(problems).toEqual([]);
  expect([...kinds.values()]).toEqual(
    Array(2).fill({ maxAttempts: 3, timeout: 5, concurrency: 2 }),
  );
  expect(Object.keys(read.a ?? {})).not.toContain("tries");
  expect(warnings.map(({ message }) => message)).toEqual([
    'jobs: "tries" is now called "maxAttempts"',
    'jobs: "seconds" is now called "timeout"',
    'jobs: "together" is now called "concurrency"',
  ]);
  expect((await readJobs(jobs, {})).warnings).toEqual([]);
});

test.each<[string, object]>([
  ['"maxAttempts" of "a" must be a whole number from 1 to 100', { maxAttempts: 0 }],
  ['"maxAttempts" of "a"', { maxAttempts: 101 }],
  ['"timeout" of "a" must be a whole number from 1 to 86400', { timeout: 0.5 }],
  ['"concurrency" of "a"', { concurrency: 0 }],
  ['"tries" of "a" must be a whole number from 1 to 100', { tries: 0 }],
  ['"a" has both "timeout" and "seconds", its former name', { timeout: 5, seconds: 5 }],
  ['"transaction" of "a"', { transaction: "yes" }],
  ['"input" of "a" must be a zod schema', { input: { type: "object" } }],
  ['"run" of "a" must be a function', { run: undefined }],
  ['"a" has an unknown option "retries"', { retries: 3 }],
])("a job: %s", async (problem, change) => {
  const { problems } = await readJobs({ a: { input, run, ...change } }, {});
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
});

test.each<[string, object]>([
  ['the job "b", which does not exist', { job: "b" }],
  ['the job "constructor"', { job: "constructor" }],
  ['"0 0 30 2 *" never occurs', { cron: "0 0 30 2 *" }],
  ['"hourly" must have five fields', { cron: "hourly" }],
  ['"Europe/Olso" is not an IANA time zone', { timezone: "Europe/Olso" }],
  ['"catchUp" of "s"', { catchUp: "1 day" }],
  ['"overlap" of "s"', { overlap: 1 }],
  ['"input" of "s": "n": ', { input: { n: "x" } }],
  ['"s" has an unknown key "crom"', { crom: "" }],
])("a schedule: %s", async (problem, change) => {
  const schedule = { s: { job: "a", cron: "@daily", ...change } } as AnySchedule;
  const { problems } = await readJobs(jobs, schedule);
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(problem)]);
});
