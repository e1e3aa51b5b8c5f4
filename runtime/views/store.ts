import type { Access, Queryable } from "../db/index.js";

/** A saved list of a resource, with its keys in API order. */
export interface ShownView {
  readonly id: string;
  readonly resource: string;
  readonly name: string;
  /** The query string of the list. */
  readonly query: string;
  /** The author; null if the account was deleted. */
  readonly by: { readonly id: string; readonly name: string } | null;
  readonly createdAt: Date;
}

const shownColumns = `
  v.id, v.resource, v.name, v.query,
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
  v.created_at as "createdAt"`;

/** Returns the views of a resource, sorted by name. */
export function listViews(
  db: Pick<Access, "query">,
  resource: string,
): Promise<readonly ShownView[]> {
  return db.query<ShownView>(
    `select ${shownColumns}
     from service.views v
     left join service.users u on u.id = v.by_id
     where v.resource = $1
     order by v.name, v.id`,
    [resource],
  );
}

export interface NewView {
  readonly resource: string;
  readonly name: string;
  readonly query: string;
  /** The author's account id. */
  readonly by: string;
}

/** Adds a view within the transaction; returns null if the resource already has `most` views. */
export async function addView(
  tx: Queryable,
  { resource, name, query, by }: NewView,
  most: number,
): Promise<ShownView | null> {
  // So that concurrent requests count each other's views.
  await tx.query("lock table service.views in share row exclusive mode");
  const [added] = await tx.query<{ id: string }>(
    `insert into service.views (resource, name, query, by_id)
     select $1, $2, $3, $4
     where (select count(*) from service.views where resource = $1) < $5
     returning id`,
    [resource, name, query, by, most],
  );
  return added === undefined ? null : findView(tx, added.id);
}

/** Changes to a view; missing keys stay unchanged. */
export interface ViewChange {
  readonly name?: string | undefined;
  readonly query?: string | undefined;
}

export async function changeView(
  tx: Queryable,
  id: string,
  { name, query }: ViewChange,
): Promise<ShownView | null> {
  await tx.query(
    `update service.views
     set name = coalesce($2, name), query = coalesce($3, query)
     where id = $1`,
    [id, name ?? null, query ?? null],
  );
  return findView(tx, id);
}

export async function deleteView(tx: Queryable, id: string): Promise<void> {
  await tx.query("delete from service.views where id = $1", [id]);
}

/** Locks the view until the transaction ends, and returns its author; undefined if there is no such view. */
export async function lockAuthor(tx: Queryable, id: string): Promise<string | null | undefined> {
  const [found] = await tx.query<{ by: string | null }>(
    "select by_id as by from service.views where id = $1 for update",
    [id],
  );
  return found?.by;
}

async function findView(tx: Queryable, id: string): Promise<ShownView | null> {
  const [found] = await tx.query<ShownView>(
    `select ${shownColumns}
     from service.views v
     left join service.users u on u.id = v.by_id
     where v.id = $1`,
    [id],
  );
  return found ?? null;
}
