import { endFormerInBackground, reencryptInBackground } from "../auth/index.js";
import { type HttpParts, newJudge } from "../http/index.js";
import { untrustedProxyNote, watcherOf } from "../operation/index.js";
import type { Opened } from "./open.js";
import type { App } from "./processes/around.js";
import { judgeOfPrimary } from "./processes/judging.js";
import { newApp } from "./processes/server.js";
import { printRoutes } from "./routes/route-list.js";
import type { AppRoutes } from "./routes.js";
import type { Generated } from "./start/generated.js";
import type { Process, Role } from "./start/process.js";
import { refuseUnreachableCode } from "./start/start-checks.js";

interface AppParts {
  readonly process: Process;
  readonly generated: Generated;
  readonly opened: Opened;
}

/** Creates the app of this process according to its role; it does not listen yet. */
export async function appOf(
  { process: { role }, generated: { resources: definitions }, opened }: AppParts,
  { routes, generated }: AppRoutes,
): Promise<App<object>> {
  const { own, code, gate, uploads, jobs, streams, counts, metrics } = opened;
  const { services } = own;
  const reachable = { ...code, appRouter: code.router, routes, generated };
  refuseUnreachableCode(reachable);
  if (role.kind === "routes") printRoutes(role.descriptor, reachable);
  const http: HttpParts = {
    ...{ services, routes, gate, appRouter: code.router, localsOf: own.localsOf },
    judge: role.kind === "worker" ? judgeOfPrimary() : newJudge(),
    watcher: watcherOf(counts.meter, metrics, {
      onUntrustedProxy: untrustedProxyNote(services),
      onWritten: () => streams?.follower.wake(),
    }),
  };
  if (role.kind === "primary") {
    const { newPrimary } = await import("./processes/primary.js");
    return newPrimary(http, own);
  }
  const app = newApp({
    ...opened,
    ...{ http, role, definitions },
    task: taskOf(role, { ...own, definitions, uploads }),
  });
  if (role.kind === "test") role.setup.onMade({ ...own, app, uploads, jobs });
  if (services.config.previousSecret !== null) void reencryptInBackground(services);
  if (services.config.auth.enabled) void endFormerInBackground(services);
  return app;
}

type TaskParts = Parameters<typeof import("../data/index.js").runTask>[0];

/** The task to run instead of serving; null for a server. */
function taskOf(role: Role, parts: TaskParts): (() => Promise<void>) | null {
  if (role.kind !== "task") return null;
  return async () => {
    const { runTask } = await import("../data/index.js");
    await runTask(parts, role.task);
  };
}
