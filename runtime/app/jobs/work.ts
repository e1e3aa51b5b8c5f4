import type { Config, Environment } from "../../config/index.js";

/** Set by `service work`: how many jobs the process runs at a time. It then opens no port. */
const variable = "SERVICE_WORK_CONCURRENCY";

/** For a process that does nothing else, where the servers run none. */
const usual = 5;

/** How many jobs this process runs at a time without serving; null for a server. */
export function workWanted(
  environment: Environment,
  { jobs }: Pick<Config, "jobs">,
): number | null {
  const written = environment[variable];
  if (written === undefined || !/^\d{1,4}$/.test(written)) return null;
  // 0: as it is configured.
  return Number(written) || jobs.concurrency || usual;
}
