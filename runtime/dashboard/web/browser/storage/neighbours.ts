/** Maximum number of lists remembered until the page is reloaded, one per resource. */
const maxLists = 20;
/** The ids of the records in the last list, by account and resource; the newest list is last. */
const lists = new Map<string, readonly string[]>();

export interface Neighbours {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Remembers a record's list, so that its neighbors are still known when the list's response has left the cache, which
 * is small. An empty list changes nothing.
 */
export function rememberList(account: string, resource: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const name = `${account} ${resource}`;
  lists.delete(name);
  lists.set(name, ids);
  const [oldest] = lists.keys();
  if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest);
}

/** Returns the remembered list if this record is in it. */
export function rememberedList(account: string, resource: string, id: string): readonly string[] {
  const ids = lists.get(`${account} ${resource}`) ?? [];
  return ids.includes(id) ? ids : [];
}

export function forgetInList(account: string, resource: string, id: string): void {
  const name = `${account} ${resource}`;
  const ids = lists.get(name);
  if (ids !== undefined) {
    lists.set(
      name,
      ids.filter((one) => one !== id),
    );
  }
}

export function neighboursIn(ids: readonly string[], id: string): Neighbours {
  const at = ids.indexOf(id);
  return { before: ids[at - 1], after: at < 0 ? undefined : ids[at + 1] };
}
