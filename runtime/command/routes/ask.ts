import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ListedRoute } from "../../app/index.js";
import { readEnvironment } from "../../config/index.js";
import { builtServer } from "../app/built-server.js";
import { CommandRefused } from "../exit.js";
import { passOnError } from "../report.js";

/** Timeout in milliseconds. The app opens nothing, so it takes about a second. */
const patience = 30_000;

/** The file descriptor to which the app writes its routes, because app code may print to standard output. */
const answers = 3;

/** Runs the built app to list its routes instead of serving them. */
export async function routesOfApp(root: string): Promise<readonly ListedRoute[]> {
  const built = builtServer(root);
  const child = spawn(process.execPath, ["--enable-source-maps", built], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: { ...readEnvironment(root), SERVICE_ROUTES_TO: String(answers) },
    timeout: patience,
    killSignal: "SIGKILL",
  });
  const listed = child.stdio[answers] as Readable;
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [json, errors, code] = await Promise.all([
    text(listed),
    text(child.stderr as Readable),
    ended,
  ]);
  if (code === 0 && json !== "") return (JSON.parse(json) as { routes: ListedRoute[] }).routes;
  passOnError(errors);
  throw code === 0
    ? new CommandRefused(`${built} exited without calling createApp`, "call createApp in server.ts")
    : new CommandRefused(
        `${built} does not start`,
        "fix the error above, or build it again: npm run build",
      );
}
