import { Refusal } from "../../errors/index.js";
import {
  type Context,
  isAllowed,
  Parameters,
  refusalByRule,
  refuseUnauthenticated,
} from "../../http/index.js";
import { type Caller, visitor } from "../../own-code/index.js";
import {
  checkPolicy,
  isWatchOptions,
  type ResourceDefinition,
  type Watched,
  type WatchOptions,
  watchTable,
} from "../../resource/index.js";
import { isPublicRule } from "../../values/access-rule.js";
import { parseJson } from "../../values/json.js";
import { noteInexact } from "../../values/stored-json/inexact.js";
import { shortHash } from "../log/position.js";

export interface Subscription {
  /** `visitor` if the request has no token. */
  readonly caller: Caller;
  readonly watched: readonly Watched[];
  /** The account if a rule allows only its own records; otherwise null. */
  readonly account: string | null;
  /** Equal for all requests that receive the same events. */
  readonly key: string;
  /** Identifies the caller's role, and the account if a rule allows only its own records. */
  readonly rights: string;
  /** The position after which the stream begins; null means now. */
  readonly after: string | null;
}

const maxResources = 20;
/** Maximum size of `watch` in bytes. */
const maxWatchBytes = 8 * 1024;

/** Maximum size of the query string in bytes: each byte of `watch` may be encoded as three. */
export const maxQuery = 4 * maxWatchBytes;

/** Whether callers without a token may watch the resource. */
export function isPublicStream({ table, access }: ResourceDefinition): boolean {
  return table.changes !== undefined && isPublicRule(access.list);
}

/**
 * Reads the parameters of a stream. Refuses a caller without a token with 401 unless everything that it watches is
 * public, a resource that the caller may not list with 403, and invalid parameters with 400. The 403 comes first, so
 * that it does not reveal the resource's fields.
 */
export async function readSubscription(
  context: Context,
  definitions: ReadonlyMap<string, ResourceDefinition>,
): Promise<Subscription> {
  const caller = context.caller ?? visitor;
  const parameters = new Parameters(context.query);
  const written = parameters.take("watch");
  const given = parameters.take("after");
  const after = headerOf(context) ?? given ?? null;
  const reject = (message: string) => parameters.reject("watch", message);
  if (caller === visitor && !isPublicWatch(written, definitions)) refuseUnauthenticated();
  const resources = readWatch(written, definitions, reject);
  parameters.finish();
  for (const { definition } of resources) refuseUnlisted(caller, definition);
  const watched = resources.map(({ definition: { table }, options }) =>
    watchTable({ table, ...options }, caller, (message) => reject(`${table.resource}: ${message}`)),
  );
  parameters.finish();
  for (const { table } of watched) await checkPolicy(context, { table, action: "list" });
  const account = watched.some(({ own }) => own !== null) ? caller.accountId : null;
  const key = JSON.stringify(watched.map((one) => one.key));
  return { caller, watched, account, after, key, rights: rightsOf(caller.role, account) };
}

function rightsOf(role: string | null, account: string | null): string {
  return shortHash({ role }) + (account === null ? "" : shortHash({ account }));
}

function headerOf({ request }: Context): string | null {
  const header = request.headers["last-event-id"];
  return typeof header === "string" && header !== "" ? header : null;
}

interface WatchedResource {
  readonly definition: ResourceDefinition;
  readonly options: WatchOptions;
}

/** Whether everything that `watch` names is public. If it names nothing, it is refused as malformed when it is read. */
function isPublicWatch(
  written: string | undefined,
  definitions: ReadonlyMap<string, ResourceDefinition>,
): boolean {
  if (written === undefined || Buffer.byteLength(written) > maxWatchBytes) return true;
  const parsed = parseJson(written);
  if (parsed.kind !== "value" || typeof parsed.value !== "object") return true;
  return Object.keys(parsed.value ?? {}).every((name) => {
    const definition = definitions.get(name);
    return definition !== undefined && isPublicStream(definition);
  });
}

function readWatch(
  written: string | undefined,
  definitions: ReadonlyMap<string, ResourceDefinition>,
  reject: (message: string) => void,
): readonly WatchedResource[] {
  if (written === undefined || Buffer.byteLength(written) > maxWatchBytes) {
    reject(
      written === undefined
        ? 'Must name the resources to watch, such as {"products":true}'
        : "Must be at most 8 kB",
    );
    return [];
  }
  const parsed = parseJson(written);
  const value = parsed.kind === "value" ? parsed.value : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reject('Must be a JSON object of resources, such as {"products":true}');
    return [];
  }
  noteInexact(value, written);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length < 1 || entries.length > maxResources) {
    reject(`Must have 1 to ${maxResources} resources`);
    return [];
  }
  return entries.flatMap(([name, options]): readonly WatchedResource[] => {
    const definition = definitions.get(name);
    if (definition?.table.changes === undefined) {
      reject(`"${name}" is not a resource with a stream of changes`);
      return [];
    }
    if (options === true) return [{ definition, options: {} }];
    if (isWatchOptions(options)) return [{ definition, options }];
    reject(`"${name}" must be true or an object of where and fields`);
    return [];
  });
}

function refuseUnlisted(caller: Caller, { table, access }: ResourceDefinition): void {
  if (isAllowed(caller, access.list)) return;
  const { reason } = refusalByRule(caller, access.list).details;
  const error = `You may not list ${table.resource}`;
  throw new Refusal("FORBIDDEN", { error, ...(reason !== undefined && { reason }) });
}
