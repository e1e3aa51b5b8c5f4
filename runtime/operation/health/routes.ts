import type { HandledRoute } from "../../http/index.js";
import type { CheckState } from "./check.js";
import type { Checks } from "./checks.js";
import type { Drain } from "./drain.js";

export interface HealthParts {
  readonly checks: Checks;
  readonly drain: Drain;
}

/** `GET /_service/live` and `GET /_service/ready`, for load balancers and process supervisors. */
export function healthRoutes({ checks, drain }: HealthParts): readonly HandledRoute[] {
  const health = { method: "GET", access: "public", isHealth: true } as const;
  return [
    {
      ...health,
      path: "/_service/live",
      handle: async () => ({ status: 200, json: JSON.stringify({ status: "ok" }) }),
    },
    {
      ...health,
      path: "/_service/ready",
      handle: async () => {
        const [database, migrations, storage, mailer] = await Promise.all([
          checks.database(),
          checks.migrations(),
          checks.storage(),
          checks.mailer(),
        ]);
        const status = statusOf(database, migrations, drain);
        const found = { status, checks: { database, migrations, storage, mailer } };
        return { status: status === "ok" ? 200 : 503, json: JSON.stringify(found) };
      },
    },
  ];
}

function statusOf(database: CheckState, migrations: CheckState, drain: Drain): string {
  if (drain.isDraining()) return "draining";
  return database === "ok" && migrations === "ok" ? "ok" : "failing";
}
