import { newSession } from "../accounts/accounts.js";
import type { RunningApp } from "../apps/app.js";
import { type Descriptor, openRounds } from "../apps/round.js";
import { type Client, client, type Json, type Reply } from "../http/client.js";
import { addressOf, type MadeRequest } from "./requests.js";
import type { Known } from "./values.js";

/** What made requests need of an app that runs: records to name, and callers whose accounts they may spoil. */
export interface Stage {
  /** Values for the properties of an operation's requests. */
  known(path: string, below: (limit: number) => number): Known;
  /** Sends it as a caller with the right to it. */
  send(request: MadeRequest & { readonly text?: string }): Promise<Reply>;
  /** Reloads the existing records. */
  refresh(): Promise<void>;
}

export async function openStage(app: RunningApp): Promise<Stage> {
  const { resources, callerOf } = await openRounds(app);
  const records = new Map<string, readonly string[]>();
  const targets = new Map(resources.map((each) => [each.name, linksOf(each)]));
  const anonymous = client(app.url, null);
  const admin = client(app.url, app.token);

  async function refresh(): Promise<void> {
    for (const resource of resources) {
      const caller = await callerOf(resource);
      const { body } = await caller.list(`/${resource.name}?perPage=50`);
      records.set(resource.name, body.data?.map(({ id }) => id) ?? []);
    }
    await spoiled();
    const accounts = await app.db.query<{ id: string }>(
      "select id from service.users where name = 'Somebody' order by id desc limit 50",
    );
    records.set(
      "users",
      accounts.map(({ id }) => id),
    );
  }

  /** Signs in another account each time, because such requests end sessions and accounts. */
  async function spoiled(): Promise<Client> {
    const [account] = await app.db.query<{ id: string }>(
      `insert into service.users (id, name, email, role, email_verified_at)
       select id, 'Somebody', id || '@example.com', 'admin', now() from gen_random_uuid() id
       returning id`,
    );
    return client(app.url, await newSession(app.db, account?.id ?? ""));
  }

  async function callerFor({ operation, headers }: MadeRequest): Promise<Client> {
    const { path, value } = operation;
    if (value.security?.length === 0 || "authorization" in headers) return anonymous;
    if (path.startsWith("/auth/") || path.startsWith("/_service/account")) return spoiled();
    const resource = resources.find(({ name }) => path.split("/")[1] === name);
    return resource === undefined ? admin : callerOf(resource);
  }

  await refresh();
  return {
    refresh,
    known: (path, below) => {
      const [, first = "", second, third = ""] = path.split("/");
      const resource = first === "_service" ? (second === "accounts" ? "users" : third) : first;
      return (property) => {
        const target = property === "id" ? resource : targets.get(resource)?.get(property);
        if (target === undefined) return undefined;
        const ids = records.get(target) ?? [];
        return ids[below(ids.length)];
      };
    },
    send: async (request) => {
      const { operation, headers, body, text } = request;
      const caller = await callerFor(request);
      const isFile = Buffer.isBuffer(body);
      return caller.send(operation.method, addressOf(request), {
        headers: { ...(isFile ? { "content-type": "application/octet-stream" } : {}), ...headers },
        ...(body === undefined && text === undefined
          ? {}
          : { text: text ?? (isFile ? body : JSON.stringify(body as Json)) }),
      });
    },
  };
}

/** The resources that one links to, by field. */
function linksOf({ fields }: Descriptor): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ name, resource }) => (resource === undefined ? [] : [[name, resource]])),
  );
}
