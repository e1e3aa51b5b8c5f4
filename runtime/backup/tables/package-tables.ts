/** How a backup treats a table of the package `service-runtime`. */
interface KeptTable {
  /** An SQL condition for the rows to archive; omitted for all rows. */
  readonly rows?: string;
  /** A query for further rows with the same columns, which are stored in other tables in another form. */
  readonly besides?: string;
  /** Columns with values encrypted by SERVICE_SECRET. */
  readonly sealed?: readonly string[];
  /** SQL to run after the table's rows are restored. */
  readonly afterwards?: string;
}

/** The tables of the schema `service` that are in an archive. Add a new table to one of these three lists. */
export const keptTables: Readonly<Record<string, KeptTable>> = {
  installation: {},
  users: {},
  sessions: {},
  app_grants: {},
  app_tokens: {},
  second_steps: { sealed: ["authenticator_secret", "backup_key"] },
  backup_codes: {},
  passkeys: {},
  identities: {},
  account_events: {},
  uploads: {},
  // While an object is being moved, it may be in both parts of the storage. The archive contains it once, so no object
  // is being moved after a restore.
  stored_objects: {
    afterwards: "update service.stored_objects set is_moving = false where is_moving",
  },
  views: {},
  homes: {},
  trash: {},
  // The histories of records; other changes are stored for only a few days.
  changes: {
    rows: "resource in (select resource from service.change_histories)",
    // Changes not yet numbered get the next numbers in the archive only.
    besides: `
      select counter.n + row_number() over (order by seq) as n, unnumbered.*
      from service.changes_new as unnumbered
      cross join service.change_counter as counter
    `,
  },
  change_histories: {},
  // Webhooks are restored disabled: the operator decides when to call other systems again. The log is new, so the
  // positions of webhooks start at its beginning.
  webhooks: {
    sealed: ["secret", "former_secret"],
    afterwards: "update service.webhooks set is_disabled = true where not is_disabled",
  },
};

/** Tables of short-lived rows or work in progress, which a restore empties. */
export const passingTables: readonly string[] = [
  "attempts",
  "mailed_proofs",
  "email_changes",
  "challenges",
  "second_step_set_ups",
  "passkey_challenges",
  "mails",
  "kept_answers",
  "provider_states",
  "provider_tickets",
  "provider_tokens",
  "app_codes",
  "account_views",
  "jobs",
  "job_names",
  "job_hours",
  "schedules",
  "imports",
  "changes_new",
  "webhook_deliveries",
  "resumable_uploads",
  "word_changes",
];

/**
 * Tables about the database itself, maintained by migrations and triggers, and the tables of tallies and words. A
 * restore does not change them.
 */
export const ownTables: readonly string[] = [
  "migrations",
  "migration_steps",
  "tallies",
  "owner_counts",
  "search_indexes",
  "word_indexes",
  "remarks",
  "change_counter",
];
