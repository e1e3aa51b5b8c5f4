/**
 * SQL for a text that two statements share only where the same rows are visible to both: PostgreSQL's snapshot, which says
 * which transactions have ended. Each one that writes, in any database of the server, changes it. The time at which the
 * server started tells it from one that has taken its place. Empty on a standby, of whose snapshots PostgreSQL shows a part.
 */
export const snapshotSql = `case when pg_is_in_recovery() then ''
      else concat(extract(epoch from pg_postmaster_start_time()), ' ', pg_current_snapshot())
      end`;
