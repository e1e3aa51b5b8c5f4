import { subscribe } from "node:diagnostics_channel";

/**
 * Loaded into the development server before the app, by `--import`. Ends the server when the command that started
 * it has ended in any way: otherwise a killed command would leave it behind. Tells the command that the app wants the
 * port, which the command holds, and which error nothing caught.
 */

/** Milliseconds for requests in progress to finish when no command is left to kill the process. */
const shutdownMs = 5_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), shutdownMs).unref();
  process.kill(process.pid, "SIGTERM");
});

for (const name of ["service.port", "service.fault"]) {
  subscribe(name, (news) => process.send?.(news));
}

// The channel must not keep a server alive that would otherwise end.
process.channel?.unref();
