import type { IncomingMessage } from "node:http";
import type { Answer, Context } from "../../http/index.js";
import type { Actor, IncludeQuery, ShownQuery } from "../../own-code/index.js";

/** Creates an internal request for handlers that expect a context. */
export function contextOf(
  actor: Actor,
  { params = {}, query = "" }: Partial<Pick<Context, "params" | "query">> = {},
): Context {
  const request = { headers: {} } as IncomingMessage;
  return { ...actor, request, params, query };
}

/** Returns the JSON of a response, even if it is a long one. */
export async function textOf({ json, long }: Answer): Promise<string> {
  return long === undefined ? (json ?? "null") : (await long.make()).join("");
}

/** Returns `fields`, `include` and `trash` as a query string. */
export function queryOf({ fields, include = {}, trash }: ShownQuery<object>): string {
  const parameters = new URLSearchParams();
  if (trash !== undefined) parameters.set("trash", trash);
  if (fields !== undefined) parameters.set("fields", fields.join(","));
  const paths = putOptions(parameters, include, "");
  if (paths.length > 0) parameters.set("include", paths.join(","));
  return parameters.toString();
}

/** Returns the included paths, and adds their options to the parameters. */
function putOptions(
  parameters: URLSearchParams,
  included: Readonly<Record<string, true | IncludeQuery | undefined>>,
  before: string,
): readonly string[] {
  return Object.entries(included).flatMap(([name, wanted]) => {
    if (wanted === undefined) return [];
    const path = before + name;
    const { include = {}, where, ...options } = wanted === true ? {} : wanted;
    const all = { ...options, where: where && JSON.stringify(where) };
    for (const [option, value] of Object.entries(all)) {
      if (value !== undefined) parameters.set(`include[${path}][${option}]`, String(value));
    }
    return [path, ...putOptions(parameters, include, `${path}.`)];
  });
}
