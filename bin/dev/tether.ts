import { subscribe } from "node:diagnostics_channel";

/**
 * Loaded into the development server before the app: ends it when the command that started it is
 * gone, however that ended. Otherwise a killed command would leave its port taken. Tells the command
 * what came of the port.
 */

/** Milliseconds that requests under way get, when nobody is left to kill us. */
const shutdownMs = 5_000;

process.once("disconnect", () => {
  setTimeout(() => process.exit(1), shutdownMs).unref();
  process.kill(process.pid, "SIGTERM");
});

subscribe("service.port", (news) => process.send?.(news));

// Being tied must not keep a server alive that would otherwise end.
process.channel?.unref();
