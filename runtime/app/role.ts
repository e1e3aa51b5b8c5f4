import cluster from "node:cluster";
import { type Config, type Environment, readConfig, readEnvironment } from "../config/index.js";
import { taskWanted } from "../data/at-start.js";
import { configOfPrimary, isOfNewRelease } from "./processes/handover.js";
import { isPortHeld } from "./processes/port.js";
import { routesWanted } from "./routes/route-list.js";
import type { Process, Role } from "./start/process.js";
import { testSetups } from "./start/test-setup.js";

/** Determines the role of this process from its environment. */
export async function processIn(root: string): Promise<Process> {
  const setup = testSetups.getStore();
  if (setup !== undefined) {
    return { root, role: { kind: "test", setup }, config: await setup.configure(root) };
  }
  const environment = readEnvironment(root);
  const wanted = routesWanted(environment);
  if (wanted !== null) {
    const { descriptor, environment: enough } = wanted;
    const config = readConfig({ root, environment: enough });
    return { root, role: { kind: "routes", descriptor }, config };
  }
  const handed = await configOfPrimary(environment);
  if (handed !== null) {
    const isNew = isOfNewRelease(environment);
    return { root, role: { kind: "worker", isOfNewRelease: isNew }, config: handed };
  }
  const config = readConfig({ root, environment });
  return { root, role: roleOfFirst(environment, config), config };
}

/** Returns the role of a process that was not started by another process of the app. */
function roleOfFirst(environment: Environment, config: Config): Role {
  const concurrency = workWanted(environment, config);
  if (concurrency !== null) return { kind: "work", concurrency };
  const task = taskWanted(environment);
  if (task !== null) return { kind: "task", task };
  // `service dev` hands all connections to the only process that it starts; a forked process cannot fork.
  const serves = config.server.workers === 1 || isPortHeld() || !cluster.isPrimary;
  return { kind: serves ? "alone" : "primary" };
}

/** Set by `service work`: the number of jobs that the process runs concurrently. It then opens no port. */
const variable = "SERVICE_WORK_CONCURRENCY";

/** Number of concurrent jobs in a process that only runs jobs, if the servers run none. */
const usual = 5;

/** The number of concurrent jobs of a process that does not serve; null for a server. */
function workWanted(environment: Environment, { jobs }: Pick<Config, "jobs">): number | null {
  const written = environment[variable];
  if (written === undefined || !/^\d{1,4}$/.test(written)) return null;
  // 0 means the configured number.
  return Number(written) || jobs.concurrency || usual;
}
