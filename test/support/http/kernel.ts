import { existsSync, readFileSync } from "node:fs";

const table = "/proc/net/tcp";

/** Bytes that the system still keeps for a client at this port; null without a connection or such a table. */
export function unsentTo(port: number): number | null {
  if (!existsSync(table)) return null;
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync(table, "utf8").split("\n");
  const columns = rows.map((row) => row.trim().split(/\s+/));
  const found = columns.find((row) => row[2]?.endsWith(remote));
  return found === undefined ? null : Number.parseInt(found[4] ?? "", 16);
}
