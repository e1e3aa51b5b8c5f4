import { refuse } from "../../errors/index.js";
import {
  type Answer,
  answerWithin,
  type Context,
  type InnerRequest,
  type Route,
} from "../../http/index.js";
import { type ResourceDefinition, resourcesByName, textOf } from "../../resource/index.js";

/** The app's routes as called by tools. */
export interface Api {
  /** Performs an internal request; the path is that of the route, such as `/products/:id`. */
  ask(context: Context, request: ToolRequest): Promise<Answer>;
  /**
   * Returns a resource by its name, or by its name in code (`invoiceLines`). Refuses an unknown name (404), so that it
   * cannot reach another route.
   */
  resource(name: string): ApiResource;
}

export interface ApiResource {
  readonly table: ResourceDefinition["table"];
  /** Performs an internal request; the path is relative to that of the resource, such as `/:id`. */
  ask(context: Context, request: ToolRequest): Promise<Answer>;
}

/** An internal request, addressed by the path of its route. */
export interface ToolRequest extends Omit<InnerRequest, "route"> {
  readonly method: Route["method"];
  readonly path: string;
}

export function apiOf(routes: readonly Route[], definitions: readonly ResourceDefinition[]): Api {
  const byName = resourcesByName(definitions);
  const byAddress = new Map(routes.map((one) => [`${one.method} ${one.path}`, one]));

  function ask(context: Context, { method, path, ...parts }: ToolRequest): Promise<Answer> {
    const route = byAddress.get(`${method} ${path}`);
    return route === undefined ? refuse("NOT_FOUND") : answerWithin(context, { ...parts, route });
  }

  return {
    ask,
    resource(name) {
      const found = byName.get(name);
      if (found === undefined) throw byName.unknown(name);
      const { table } = found;
      return {
        table,
        ask: (context, request) =>
          ask(context, { ...request, path: `/${table.resource}${request.path}` }),
      };
    },
  };
}

/** Returns `{ record, etag }` of a response with a record, as JSON text; `etag` is null if the response has none. */
export async function recordText(answer: Answer): Promise<string> {
  const etag = JSON.stringify(answer.headers?.etag ?? null);
  return `{"record":${await textOf(answer)},"etag":${etag}}`;
}

/** Headers of a write: the idempotency key of the agent's request, and the ETag of the record to change. */
export function writeHeaders(
  { request }: Context,
  ifMatch?: string | undefined,
): Readonly<Record<string, string>> {
  const key = request.headers["idempotency-key"];
  return {
    ...(typeof key === "string" && { "idempotency-key": key }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
}
