import { z } from "zod";
import type { Problem } from "../../values/problem.js";
import { environmentProblem } from "../result/problem.js";
import {
  flag,
  mailAddress,
  oneOf,
  origin,
  postgresAddress,
  sender,
  text,
  webAddress,
  whole,
} from "../shape/values.js";
import type { Environment } from "./environment.js";

/** A secret of at least 32 bytes. */
export const secret = text.refine((characters) => Buffer.byteLength(characters) >= 32, {
  error: "must have at least 32 bytes; generate one with `openssl rand -base64 48`",
});

const shape = z.object({
  DATABASE_URL: postgresAddress.optional(),
  PORT: whole(0, 65_535).optional(),
  SERVICE_WEB_URL: origin.optional(),
  SERVICE_PROXY_SECRET: secret.optional(),
  SERVICE_REGISTRATION: flag.optional(),
  SERVICE_SECRET: secret.optional(),
  SERVICE_SECRET_PREVIOUS: secret.optional(),
  SERVICE_MAIL_URL: mailAddress.optional(),
  SERVICE_MAIL_FROM: sender.optional(),
  SERVICE_BREACH_URL: webAddress.default("https://api.pwnedpasswords.com"),
  SERVICE_LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default(
    "info",
  ),
  NODE_ENV: z.string().optional(),
});

/** The service's variables; an empty variable counts as unset. */
export type Variables = z.output<typeof shape>;

/** Reads the service's variables; null with a problem for each invalid one. */
export function readVariables(environment: Environment): {
  readonly variables: Variables | null;
  readonly problems: readonly Problem[];
} {
  const written = Object.entries(environment).filter(([, value]) => value !== "");
  const result = shape.safeParse(Object.fromEntries(written));
  if (result.success) return { variables: result.data, problems: [] };
  return {
    variables: null,
    problems: result.error.issues.map((issue) =>
      environmentProblem(`${issue.path.join(".")} ${issue.message}`),
    ),
  };
}
