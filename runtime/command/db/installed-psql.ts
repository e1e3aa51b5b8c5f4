import { spawn } from "node:child_process";
import { once } from "node:events";
import { readAddress } from "../../db/index.js";
import { type ExitCode, exit } from "../exit.js";
import { completeAddress } from "./complete-address.js";

/**
 * Runs the machine's `psql` on a database; null if psql is not installed. The password is passed in its environment,
 * which other accounts cannot read, unlike its arguments.
 */
export async function runPsql(url: string, args: readonly string[]): Promise<ExitCode | null> {
  const complete = completeAddress(url);
  const { password } = readAddress(complete);
  const address = new URL(complete);
  address.password = "";
  // The server supports neither of these variables.
  const { PGHOSTADDR: _address, PGSERVICE: _service, ...environment } = process.env;
  const child = spawn("psql", ["--dbname", address.href, ...args], {
    stdio: "inherit",
    env: { ...environment, ...(password !== null && { PGPASSWORD: password }) },
  });
  // Ctrl+C in the terminal also reaches psql, which cancels its statement.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const [status] = await once(child, "close");
    return status === 0 ? exit.done : exit.mustChange;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  } finally {
    process.off("SIGINT", ignore);
  }
}
