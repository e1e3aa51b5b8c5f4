/** Tables in which migration tools record applied migrations; they contain no app data. */
const ledgers: ReadonlySet<string> = new Set([
  "__EFMigrationsHistory",
  "_prisma_migrations",
  "_sqlx_migrations",
  "SequelizeMeta",
  "alembic_version",
  "ar_internal_metadata",
  "databasechangelog",
  "databasechangeloglock",
  "django_migrations",
  "doctrine_migration_versions",
  "flyway_schema_history",
  "goose_db_version",
  "gorp_migrations",
  "knex_migrations",
  "knex_migrations_lock",
  "migrations",
  "phinxlog",
  "pgmigrations",
  "schema_info",
  "schema_migrations",
  "typeorm_metadata",
]);

export function isLedger(table: string): boolean {
  return ledgers.has(table);
}
