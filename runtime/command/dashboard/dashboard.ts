import { once } from "node:events";
import { readDashboardSettings } from "../../config/index.js";
import { newDashboardServer } from "../../dashboard/index.js";
import { closeServer } from "../../http/index.js";
import { addressOf } from "../app/address.js";
import { listenOn } from "../app/listen.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { sayAside, sayDone } from "../report.js";

/** Milliseconds that responses in progress have to finish. */
const drainMs = 5_000;

/** Serves the dashboard for an API on another server until SIGINT, SIGTERM or SIGHUP. */
export async function dashboardCommand(root: string): Promise<ExitCode> {
  const settings = readDashboardSettings(root);
  const { host, port } = settings;
  const server = newDashboardServer({ ...settings, apiUrl: () => settings.apiUrl, root });
  const opened = await listenOn(server, { host, port });
  if (opened === null) {
    throw new CommandRefused(`Port ${port} of ${host} is taken`, "set PORT");
  }
  sayDone(`The dashboard is listening: it answers on ${addressOf(host, opened)}`);
  sayAside(`It forwards API requests to ${settings.apiUrl}`);
  await Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
  await closeServer(server, { drainMs });
  return exit.done;
}
