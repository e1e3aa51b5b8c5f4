/** What a backup does with a table of the package. */
interface KeptTable {
  /** SQL of the rows that are kept, where not all are. */
  readonly rows?: string;
  /** SQL of further rows with the same columns, which other tables hold in another form. */
  readonly besides?: string;
  /** Columns whose values are encrypted with SERVICE_SECRET. */
  readonly sealed?: readonly string[];
  /** SQL that is run once its rows are restored. */
  readonly afterwards?: string;
}

/** The tables of the schema `service` that an archive holds. A new table is added to one of these three lists. */
export const keptTables: Readonly<Record<string, KeptTable>> = {
  installation: {},
  users: {},
  sessions: {},
  second_steps: { sealed: ["authenticator_secret", "backup_key"] },
  backup_codes: {},
  passkeys: {},
  identities: {},
  account_events: {},
  uploads: {},
  // The archive has each object once.
  stored_objects: {
    afterwards: "update service.stored_objects set is_moving = false where is_moving",
  },
  views: {},
  // The histories of records; other changes are kept for days only.
  changes: {
    rows: "resource in (select resource from service.change_histories)",
    // Changes that have no number yet get the next ones, in the archive only.
    besides: `
      select counter.n + row_number() over (order by seq) as n, unnumbered.*
      from service.changes_new as unnumbered
      cross join service.change_counter as counter
    `,
  },
  change_histories: {},
  // Whoever restores decides when other systems are called again. The log is a new one, so their positions begin there.
  webhooks: {
    sealed: ["secret", "former_secret"],
    afterwards: "update service.webhooks set is_disabled = true where not is_disabled",
  },
};

/** Tables of short-lived rows or of running work: a restore empties them. */
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
  "jobs",
  "job_names",
  "job_hours",
  "schedules",
  "imports",
  "changes_new",
  "webhook_deliveries",
  "resumable_uploads",
];

/** Those about the database itself, which migrations and triggers keep, and the tables of tallies: a restore leaves them. */
export const ownTables: readonly string[] = [
  "migrations",
  "migration_steps",
  "tallies",
  "owner_counts",
  "search_indexes",
  "remarks",
  "change_counter",
];
