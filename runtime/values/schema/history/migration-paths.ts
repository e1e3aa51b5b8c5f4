/** The path of a migration's list of changes. */
export function recordPath(name: string): string {
  return `migrations/${name}.json`;
}

/** The path of a migration's SQL. */
export function sqlPath(name: string): string {
  return `migrations/${name}.sql`;
}

/** The path of the SQL that reverts a migration. */
export function downPath(name: string): string {
  return `migrations/down/${name}.sql`;
}
