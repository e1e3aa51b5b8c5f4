/** Accounts that may not read the names of other accounts; the API only says so when they are requested. */
const closed = new Set<string>();

export function closeProfiles(account: string): void {
  closed.add(account);
}

export function mayNameAccounts(account: string): boolean {
  return !closed.has(account);
}
