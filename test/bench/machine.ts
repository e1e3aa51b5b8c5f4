import { cpus, loadavg, totalmem } from "node:os";
import { withConnection } from "./seed.js";

/** What it was measured on, and how busy that was before. */
export async function machine(adminUrl: string): Promise<string> {
  const version = await withConnection(adminUrl, (db) =>
    db.query<{ server_version: string }>("show server_version"),
  );
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `${all.length} × ${all[0]?.model.trim() ?? "unknown processor"}, ${memory} GB`,
    `Node.js ${process.versions.node}`,
    `PostgreSQL ${version.rows[0]?.server_version}`,
    `load average before: ${loadavg()[0]?.toFixed(1)}`,
  ].join("; ");
}
