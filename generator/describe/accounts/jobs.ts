import type { Schema } from "../../kind/kind.js";
import {
  cursorPage,
  emptyAnswer,
  integer,
  jsonAnswer,
  listSchema,
  nullable,
  type Operation,
  objectSchema,
  schemaRef,
  string,
  timestamp,
  uuid,
} from "../operation.js";
import { parameterRef, query } from "../resource/parameters.js";

const states: Schema = { type: "string", enum: ["waiting", "running", "failed"] };
const lastStates: Schema = { type: "string", enum: ["waiting", "running", "done", "failed"] };

/** Schemas of the app's jobs as operators see them. */
export const jobSchemas: Readonly<Record<string, Schema>> = {
  Job: objectSchema({
    id: uuid,
    name: string,
    state: states,
    key: nullable(string),
    attempt: integer,
    tries: integer,
    at: timestamp,
    startedAt: nullable(timestamp),
    error: nullable(string),
    createdAt: timestamp,
  }),
  ScheduledJob: objectSchema({
    name: string,
    job: string,
    cron: string,
    timezone: string,
    lastAt: nullable(timestamp),
    lastState: nullable(lastStates),
    nextAt: timestamp,
  }),
};

const onOne = [parameterRef("Id")];
const fresh = ["NotFresh", "NotFound", "Refused"] as const;

/** The operations on jobs: 404 without `auth.operators`, or in an app without jobs. */
export function jobOperations(tag: string): readonly Operation[] {
  return [
    {
      id: "listServiceJobs",
      method: "get",
      path: "/_service/jobs",
      tag,
      summary: "Waiting, running and failed jobs, newest first",
      parameters: [
        parameterRef("Cursor"),
        parameterRef("PerPage"),
        query("filter[name]", string),
        query("filter[state]", states),
      ],
      answers: {
        200: jsonAnswer("The page.", cursorPage(schemaRef("Job"))),
      },
      refusals: ["BadQuery", "Forbidden", "NotFound"],
    },
    {
      id: "listServiceJobHours",
      method: "get",
      path: "/_service/jobs/hours",
      tag,
      summary: "The number of job attempts that ended in each hour of the last day",
      answers: {
        200: jsonAnswer(
          "24 hours, the oldest first. The last one is incomplete.",
          listSchema(objectSchema({ at: timestamp, done: integer, failed: integer })),
        ),
      },
      refusals: ["Forbidden", "NotFound"],
    },
    {
      id: "retryServiceJob",
      method: "post",
      path: "/_service/jobs/{id}/retry",
      tag,
      summary: "Job: retry it after it has failed",
      parameters: onOne,
      answers: { 204: emptyAnswer("It waits.") },
      refusals: fresh,
    },
    {
      id: "deleteServiceJob",
      method: "delete",
      path: "/_service/jobs/{id}",
      tag,
      summary: "Job: delete it, unless it is running",
      parameters: onOne,
      answers: { 204: emptyAnswer("Done.") },
      refusals: fresh,
    },
    {
      id: "listServiceSchedule",
      method: "get",
      path: "/_service/schedule",
      tag,
      summary: "The schedules of jobs, with their last and next times",
      answers: { 200: jsonAnswer("The schedules.", listSchema(schemaRef("ScheduledJob"))) },
      refusals: ["Forbidden", "NotFound"],
    },
    {
      id: "runServiceSchedule",
      method: "post",
      path: "/_service/schedule/{name}/run",
      tag,
      summary: "Queue the job of a schedule now",
      parameters: [{ name: "name", in: "path", required: true, schema: string }],
      answers: { 202: emptyAnswer("The job is queued.") },
      refusals: fresh,
    },
  ];
}
