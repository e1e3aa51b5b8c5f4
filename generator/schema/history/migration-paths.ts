/** Beside a migration's SQL, the list of its changes. */
export function recordPath(name: string): string {
  return `migrations/${name}.json`;
}

export function sqlPath(name: string): string {
  return `migrations/${name}.sql`;
}

/** Of the SQL that undoes a migration. */
export function downPath(name: string): string {
  return `migrations/down/${name}.sql`;
}
