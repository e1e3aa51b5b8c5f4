import { subscribe } from "node:diagnostics_channel";

/**
 * Loaded into the development server before the app, by `--import`. Stops the server when the `dev` command ends, even
 * if killed. Notifies the command, which holds the port, when the app wants to listen, and of any uncaught error.
 */

/** Milliseconds for requests in progress to finish if no command is left to kill the process. */
const shutdownMs = 5_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), shutdownMs).unref();
  process.kill(process.pid, "SIGTERM");
});

for (const name of ["service.port", "service.fault"]) {
  subscribe(name, (news) => process.send?.(news));
}

// The channel must not keep a server alive that would otherwise exit.
process.channel?.unref();
