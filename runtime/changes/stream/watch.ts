import { Refusal } from "../../errors/index.js";
import {
  type Context,
  isAllowed,
  Parameters,
  refusalByRule,
  refuseUnauthenticated,
} from "../../http/index.js";
import type { Caller } from "../../own-code/index.js";
import {
  checkPolicy,
  isWatchedPart,
  type ResourceDefinition,
  type Watched,
  watchTable,
} from "../../resource/index.js";
import { parseJson } from "../../values/json.js";

/** What somebody asks of a stream. */
export interface Asked {
  readonly caller: Caller;
  readonly watched: readonly Watched[];
  /** The account, where a rule admits it as the owner only; null else. */
  readonly account: string | null;
  /** The same for all who get the same events. */
  readonly key: string;
  /** The position after which it begins; null: now. */
  readonly after: string | null;
}

const maxResources = 20;
/** Bytes. */
const maxWatchBytes = 8 * 1024;

/**
 * Reads the parameters of a stream: 400 with what is wrong, 403 for a resource that the caller may not list. Who may not
 * list a resource is not told what is wrong with its conditions.
 */
export async function readAsked(
  context: Context,
  definitions: ReadonlyMap<string, ResourceDefinition>,
): Promise<Asked> {
  const caller = context.caller ?? refuseUnauthenticated();
  const parameters = new Parameters(context.query);
  const written = parameters.take("watch");
  const asked = parameters.take("after");
  const after = headerOf(context) ?? asked ?? null;
  const reject = (message: string) => parameters.reject("watch", message);
  const parts = readParts(written, definitions, reject);
  parameters.finish();
  for (const { definition } of parts) refuseUnlisted(caller, definition);
  const watched = parts.map(({ definition: { table }, part }) =>
    watchTable(table, caller, part, (message) => reject(`${table.resource}: ${message}`)),
  );
  parameters.finish();
  for (const { definition } of parts) await checkPolicy(context, definition.table, "list");
  const account = watched.some(({ isOwn }) => isOwn) ? caller.accountId : null;
  const sorted = parts.map(({ definition: { table }, part }) => [table.resource, part]);
  return { caller, watched, account, after, key: JSON.stringify([caller.role, account, sorted]) };
}

function headerOf({ request }: Context): string | null {
  const header = request.headers["last-event-id"];
  return typeof header === "string" && header !== "" ? header : null;
}

interface Part {
  readonly definition: ResourceDefinition;
  readonly part: { readonly where?: unknown; readonly fields?: readonly string[] | undefined };
}

function readParts(
  written: string | undefined,
  definitions: ReadonlyMap<string, ResourceDefinition>,
  reject: (message: string) => void,
): readonly Part[] {
  if (written === undefined || Buffer.byteLength(written) > maxWatchBytes) {
    reject(written === undefined ? "Must name what to watch" : "Must be at most 8 kB");
    return [];
  }
  const parsed = parseJson(written);
  const value = parsed.kind === "value" ? parsed.value : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reject('Must be a JSON object of resources, such as {"products":true}');
    return [];
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length < 1 || entries.length > maxResources) {
    reject(`Must have 1 to ${maxResources} resources`);
    return [];
  }
  return entries.flatMap(([name, part]): readonly Part[] => {
    const definition = definitions.get(name);
    if (definition?.table.changes === undefined) {
      reject(`"${name}" is no resource whose changes are told`);
      return [];
    }
    if (part === true) return [{ definition, part: {} }];
    if (isWatchedPart(part)) return [{ definition, part }];
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
