import { keep, readKept, wordsIn } from "./kept.js";

/** Maximum number of recently used resources to remember. */
const maxUsed = 10;
/** Maximum number of records remembered until the page is reloaded. Their titles are not stored. */
const maxOpened = 8;

export interface Opened {
  readonly resource: string;
  readonly id: string;
  readonly title: string;
}

const opened = new Map<string, readonly Opened[]>();

export function rememberUse(account: string, resource: string): void {
  const used = usedResources(account);
  if (used[0] === resource) return;
  const others = used.filter((name) => name !== resource);
  keep(account, "used", [resource, ...others].slice(0, maxUsed));
}

/** Returns the names of the resources used last, most recent first. */
export function usedResources(account: string): readonly string[] {
  return readKept(account, "used", wordsIn);
}

export function rememberOpened(account: string, record: Opened): void {
  const others = openedRecords(account).filter(({ id }) => id !== record.id);
  opened.set(account, [record, ...others].slice(0, maxOpened));
}

/** Removes a deleted record, which can no longer be opened. */
export function forgetOpened(account: string, id: string): void {
  const others = openedRecords(account).filter((one) => one.id !== id);
  opened.set(account, others);
}

export function openedRecords(account: string): readonly Opened[] {
  return opened.get(account) ?? [];
}
