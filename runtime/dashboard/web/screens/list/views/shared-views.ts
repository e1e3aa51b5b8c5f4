import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../api/account/session.js";
import { call } from "../../../api/client/client.js";
import type { Resource, SharedView } from "../../../api/client/types.js";
import { viewsQuery } from "../../../api/records/queries.js";
import { printParams } from "../../../browser/address/list-address.js";
import type { View } from "../../../browser/storage/views.js";

const path = "/_service/views";

/** The shared views of a list, and functions that change them; each resolves with the view. */
export interface SharedViews {
  readonly views: readonly View[];
  readonly add: (view: Pick<View, "name" | "search" | "columns">) => Promise<View>;
  readonly change: (view: View) => Promise<View>;
  readonly remove: (view: View) => Promise<void>;
}

export function useSharedViews(resource: Resource): SharedViews {
  const { user, operator } = useSession();
  const client = useQueryClient();
  const query = viewsQuery(user.id, resource.name);
  const found = useQuery(query);
  const read = (one: SharedView): View => {
    const { search, columns } = partsOf(one.query);
    const mayChange = operator || one.by?.id === user.id;
    return { id: one.id, name: one.name, search, columns, shared: { mayChange } };
  };
  const done = async (made: SharedView) => {
    await client.invalidateQueries(query);
    return read(made);
  };
  return {
    views: (found.data?.data ?? []).map(read),
    add: async ({ name, ...view }) =>
      done(
        await call("POST", path, { body: { resource: resource.name, name, query: queryOf(view) } }),
      ),
    change: async ({ id, name, ...view }) =>
      done(await call("PATCH", `${path}/${id}`, { body: { name, query: queryOf(view) } })),
    remove: async ({ id }) => {
      await call("DELETE", `${path}/${id}`);
      await client.invalidateQueries(query);
    },
  };
}

/** The parameters of the list; its columns are the requested fields. */
export function queryOf({ search, columns }: Pick<View, "search" | "columns">): string {
  const fields = columns === null ? "" : printParams([["fields", columns.join(",")]]);
  return [search, fields].filter((part) => part !== "").join("&");
}

export function partsOf(query: string): Pick<View, "search" | "columns"> {
  const parts = query.split("&").filter((part) => part !== "");
  const fields = new URLSearchParams(query).get("fields");
  return {
    search: parts.filter((part) => !part.startsWith("fields=")).join("&"),
    columns: fields === null ? null : fields.split(",").filter((name) => name !== ""),
  };
}
