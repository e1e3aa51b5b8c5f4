import { z } from "zod";
import { authShape, isNoRole, mustBeRoles } from "./auth.js";
import { mapOfSettings, section } from "./section.js";
import { noBucket, uploadsShape } from "./uploads.js";
import {
  agentAccess,
  colour,
  flag,
  ipRange,
  mailAddress,
  oneOf,
  origin,
  pictureFile,
  postgresAddress,
  rate,
  sender,
  text,
  whole,
} from "./values.js";

/** Hints for some messages of the schema; the others need none. */
export const settingHints: Readonly<Record<string, string>> = {
  [noBucket]: "add bucket: <name> below uploads.storage",
  [mustBeRoles]: "write them in brackets: operators: [admin]",
  [isNoRole]: "name the roles of accounts, such as admin; an empty list means no account",
};

/** An unset variable (`${LOGO:-}`) means no value, like a missing key. */
function unlessEmpty<Value extends z.ZodType>(value: Value) {
  return z.preprocess((written) => (written === "" ? undefined : written), value.optional());
}

export const appShape = section({
  name: text.optional().describe("The app's name in emails, authenticator apps and the dashboard."),
  logo: unlessEmpty(pictureFile).describe(
    "A picture for the dashboard (.svg, .png, .webp, .jpg), relative to this file.",
  ),
  colour: unlessEmpty(colour).describe(
    "The dashboard's main colour, from which its palettes are derived; in quotes.",
  ),
}).describe("The app.");

const server = section({
  host: text.default("127.0.0.1").describe("The address to listen on."),
  port: whole(0, 65_535).default(3000).describe("The port to listen on; PORT overrides it."),
  workers: whole(1, 64)
    .default(1)
    .describe(
      "The number of processes that share the port, each with its own connection pool; `npx service dev` runs one.",
    ),
  cors_origins: z
    .array(origin, { error: "must be a list of origins" })
    .default([])
    .describe("Origins of web pages that may call the API."),
  max_json_bytes: whole(1, 1_073_741_824).default(1_048_576).describe("The largest JSON body."),
  trust_proxy: whole(0, 100)
    .default(0)
    .describe("The number of trusted proxies in front of the server, for X-Forwarded-For."),
  hook_timeout_seconds: whole(1, 600)
    .default(5)
    .describe(
      "The timeout of all hooks and policies of one request together, not counting up to 30 s of waiting for row locks; then the response is 503.",
    ),
  drain_seconds: whole(0, 3600)
    .default(25)
    .describe("How long running requests and after-write hooks may take when the server stops."),
  drain_delay_seconds: whole(0, 600)
    .default(0)
    .describe(
      "How long a stopping server continues to serve, while GET /api/_service/ready reports that it is draining.",
    ),
  metrics: z
    .strictObject(
      {
        host: text.default("127.0.0.1").describe("The address to listen on."),
        port: whole(0, 65_535).default(9090).describe("The port to listen on."),
      },
      mapOfSettings,
    )
    .optional()
    .describe("Where GET /metrics serves Prometheus metrics; without this key, nowhere."),
  docs: flag
    .default(false)
    .describe(
      "Whether the reference page, GET /api/_service/docs, is also available outside development.",
    ),
  mcp: agentAccess
    .default(false)
    .describe(
      "Whether agents may use the API at POST /api/_service/mcp: `read` permits no writes; `true` permits everything that their tokens allow.",
    ),
}).describe("Where the server listens, and its limits.");

const limits = section({
  per_token: rate
    .default(0)
    .describe(
      "Requests with one token per second, minute or hour, such as 600/min (s, min, h); 0: no limit.",
    ),
  per_client: rate
    .default(0)
    .describe(
      "Requests from one address, or from one IPv6 network (/64), per second, minute or hour.",
    ),
  sign_in_per_client: rate
    .default(0)
    .describe(
      "Requests from one address that attempt to sign in or request an email, per second, minute or hour.",
    ),
  public_create_per_client: rate
    .default("20/min")
    .describe(
      "Requests from one address, without a token, that create a record, per second, minute or hour.",
    ),
  per_token_at_once: whole(0, 100_000)
    .default(64)
    .describe(
      "Concurrent requests with one token; further ones wait up to 5 s, then the response is 503. 0: no limit.",
    ),
}).describe("Limits of one client on one machine; beyond a rate the response is 429.");

const database = section({
  url: z
    .preprocess((value) => (value === "" ? undefined : value), postgresAddress.default(""))
    .describe(
      "postgres://…; without it the app's embedded database is used. DATABASE_URL overrides it.",
    ),
  pool_size: whole(1, 1000)
    .default(10)
    .describe("The maximum number of connections of one server process."),
  slow_ms: whole(1, 3_600_000)
    .default(500)
    .describe(
      "Statements that take at least this number of milliseconds are logged, without values.",
    ),
  prepare: flag
    .default(true)
    .describe("Whether statements are prepared; set to false behind a transaction-pooling proxy."),
}).describe("The PostgreSQL server. Without an address the app's embedded database is used.");

const mailer = section({
  driver: oneOf(["none", "smtp"])
    .default("none")
    .describe("`none` sends nothing; `smtp` needs `url`; SERVICE_MAIL_URL overrides it."),
  from: sender
    .optional()
    .describe("The sender, such as Shop <no-reply@example.com>; SERVICE_MAIL_FROM overrides it."),
  url: mailAddress
    .optional()
    .describe("The mail server: smtp://… or smtps://…; SERVICE_MAIL_URL overrides it."),
}).describe("How mail is sent.");

const jobs = section({
  concurrency: whole(0, 1000)
    .default(5)
    .describe(
      "The number of jobs that each process runs at once; 0 leaves them to other processes, such as `npx service work`.",
    ),
}).describe("How the app's jobs run.");

const changes = section({
  days: whole(1, 3650)
    .default(7)
    .describe(
      "Days for which changes are kept; histories may be kept longer. A client that reconnects later must list the records again.",
    ),
  streams: whole(1, 100_000)
    .default(5000)
    .describe(
      "The maximum number of change streams of one process; beyond that the response is 503.",
    ),
  streams_per_account: whole(1, 100_000)
    .default(20)
    .describe(
      "The maximum number of streams of one account in a process; beyond that the response is 429.",
    ),
  streams_per_client: whole(1, 100_000)
    .default(20)
    .describe(
      "The maximum number of streams without a token from one address in a process; beyond that the response is 429.",
    ),
}).describe("The log of changes, and its streams.");
const webhooks = section({
  allow: z
    .array(ipRange, { error: "must be a list of addresses and ranges" })
    .default([])
    .describe(
      "Addresses and ranges, such as 10.0.0.0/8, that webhooks may call besides public ones, and without TLS.",
    ),
}).describe("The addresses that webhooks may call.");

/**
 * `service.yaml`, with every key in snake_case and every default. The schema for editors and the table of
 * `docs/configuration.md` are generated from it.
 */
export const settingsShape = section({
  app: appShape,
  client: text
    .optional()
    .describe(
      "An additional folder for the typed client, relative to this file; `npx service generate` writes there.",
    ),
  server,
  limits,
  database,
  auth: authShape,
  uploads: uploadsShape,
  mailer,
  jobs,
  changes,
  webhooks,
}).describe(
  `Settings of a server, read when it starts. Strings may contain environment variables: \${NAME} and \${NAME:-default}.`,
);

export type Settings = z.output<typeof settingsShape>;
