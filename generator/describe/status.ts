import type { Schema } from "../kind/kind.js";
import {
  integer,
  jsonAnswer,
  nullable,
  type Operation,
  objectSchema,
  string,
  timestamp,
} from "./operation.js";

const number: Schema = { type: "number" };
const listOf = (properties: Readonly<Record<string, Schema>>): Schema => {
  return { type: "array", items: objectSchema(properties) };
};

/** The server's status for operators: 404 without `auth.operators`. */
export const statusOperation = {
  summary: "The state of the server and its database, for operators",
  answers: {
    200: jsonAnswer(
      "The state, at most a second old. Times are milliseconds.",
      objectSchema({
        version: string,
        startedAt: timestamp,
        processes: integer,
        database: objectSchema({
          version: string,
          bytes: integer,
          connections: integer,
          maxConnections: integer,
        }),
        migrations: objectSchema({ applied: integer, pending: integer }),
        tables: listOf({ resource: string, rows: integer, bytes: integer }),
        storage: objectSchema({ files: integer, bytes: integer }),
        mails: objectSchema({ waiting: integer }),
        requests: objectSchema({
          perSecond: number,
          failedPerSecond: number,
          p50: nullable(number),
          p99: nullable(number),
          minutes: listOf({
            at: timestamp,
            count: integer,
            failed: integer,
            p99: nullable(number),
          }),
        }),
        slow: listOf({
          statement: string,
          milliseconds: integer,
          count: integer,
          lastAt: timestamp,
        }),
      }),
    ),
  },
  refusals: ["Forbidden", "NotFound"],
} satisfies Partial<Operation>;

const oneOf = (...words: readonly string[]): Schema => ({ type: "string", enum: words });
const check = oneOf("ok", "failing", "off");

const health = {
  method: "get",
  tag: "Service",
  isPublic: true,
  refusals: ["NotAcceptable"],
} as const;

const state = (status: Schema): Schema =>
  objectSchema({
    status,
    checks: objectSchema({ database: check, migrations: check, storage: check, mailer: check }),
  });

/** Endpoints for load balancers and process managers. */
export const healthOperations: readonly Operation[] = [
  {
    ...health,
    id: "getServiceLive",
    path: "/_service/live",
    summary: "Whether the process responds",
    description: "It does not query the database.",
    answers: { 200: jsonAnswer("It responds.", objectSchema({ status: oneOf("ok") })) },
  },
  {
    ...health,
    id: "getServiceReady",
    path: "/_service/ready",
    summary: "Whether the server accepts requests",
    description:
      "The result is at most a second old, and arrives within 2.5 s. Failures of `storage` and `mailer` do not cause 503.",
    answers: {
      200: jsonAnswer("It accepts requests.", state(oneOf("ok"))),
      503: jsonAnswer(
        "The database or its migrations fail, or the server is about to stop.",
        state(oneOf("failing", "draining")),
      ),
    },
  },
];
