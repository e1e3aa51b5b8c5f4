import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Context, Route } from "../../http/index.js";
import { later } from "../../loading/index.js";
import { type UploadServices, uploadsFor } from "../objects/services.js";
import type { FindTarget } from "../receive/receive.js";
import { tusExtensions, tusVersion } from "./version.js";

const loadHandlers = later(() => import("./handlers.js"));

/** Routes of resumable uploads. */
export interface ResumableUploads {
  readonly routes: readonly Route[];
  /** Waits briefly for received bytes to be recorded. */
  close(): Promise<void>;
}

/** Milliseconds for requests whose connections are closed to store the received bytes. */
const patience = 2_000;

/** Returns the routes of the tus protocol; none unless the app enables resumable uploads. */
export function openResumable(services: UploadServices, targetOf: FindTarget): ResumableUploads {
  const { resumable } = services.config.uploads;
  const running = new Set<Promise<unknown>>();
  type Name = keyof Awaited<ReturnType<typeof loadHandlers>>;

  async function handle(name: Name, context: Context): Promise<Answer> {
    const target = targetOf(context.caller, context.params);
    const handlers = await loadHandlers();
    return handlers[name](uploadsFor(services, context), target, context);
  }

  const handled = (name: Name) => (context: Context) => {
    const answer = handle(name, context);
    running.add(answer);
    const forget = () => running.delete(answer);
    answer.then(forget, forget);
    return answer;
  };

  async function close(): Promise<void> {
    const late = new AbortController();
    const lateness = sleep(patience, undefined, late).catch(() => {});
    await Promise.race([Promise.allSettled(running), lateness]);
    late.abort();
  }

  if (resumable === null) return { routes: [], close };
  const path = "/_service/uploads/:resource/:field/resumable";
  const one = `${path}/:upload`;
  const common = {
    access: "signed-in",
    takesFile: true,
    takesOverride: true,
    headers: { "tus-resumable": tusVersion },
    optionsHeaders: {
      "tus-version": tusVersion,
      "tus-extension": tusExtensions,
      "tus-max-size": String(resumable.maxBytes),
    },
  } as const;
  const routes: readonly Route[] = [
    { ...common, method: "POST", path, handle: handled("create") },
    { ...common, method: "GET", path: one, handle: handled("show") },
    { ...common, method: "PATCH", path: one, handle: handled("add") },
    { ...common, method: "DELETE", path: one, handle: handled("remove") },
  ];
  return { routes, close };
}
