/**
 * Returns the name of another database engine from its `version()`; null for PostgreSQL, and for engines that claim to
 * be PostgreSQL. Some engines have its protocol and a recent version number, but neither its triggers nor its locks:
 * see `docs/engines.md`.
 */
export function otherEngine(version: string): string | null {
  // "PostgreSQL 15.12-YB-2025.2.0.0-b0 on x86_64"
  if (/^PostgreSQL \S*-YB-/.test(version)) return "YugabyteDB";
  // "PostgreSQL 8.0.2 on i686-pc-linux-gnu, …, Redshift 1.0.77467"
  const [, later] = /\b(Redshift|Materialize|Greenplum Database)\b/.exec(version) ?? [];
  if (later !== undefined) return later;
  // "CockroachDB CCL v26.3.0 (x86_64-pc-linux-gnu, …)"
  const [name = ""] = version.split(" ");
  return name === "PostgreSQL" ? null : name;
}
