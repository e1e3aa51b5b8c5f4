import { spawn } from "node:child_process";
import { readEnvironment } from "../../config/index.js";
import { builtServer } from "../app/built-server.js";
import { withDatabase } from "../app/database.js";
import { type ExitCode, exit } from "../exit.js";
import { warn } from "../report.js";

export interface WorkOptions {
  readonly concurrency?: number;
  /** The previous name, accepted until 0.7. */
  readonly together?: number;
}

/** Runs the built app to process jobs instead of serving requests. */
export async function work(root: string, options: WorkOptions): Promise<ExitCode> {
  const built = builtServer(root);
  if (options.together !== undefined) warn("--together is now called --concurrency");
  const concurrency = options.concurrency ?? options.together ?? 0;
  return withDatabase(root, (url) =>
    runApp(root, built, {
      ...readEnvironment(root),
      DATABASE_URL: url,
      SERVICE_WORK_CONCURRENCY: String(concurrency),
    }),
  );
}

/** Resolves when the app has exited; a signal to terminate this process ends the app first. */
function runApp(root: string, built: string, env: NodeJS.ProcessEnv): Promise<ExitCode> {
  const child = spawn(process.execPath, ["--enable-source-maps", built], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env,
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  return new Promise<ExitCode>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0 ? exit.done : exit.mustChange));
  }).finally(() => {
    for (const signal of signals) process.off(signal, pass);
  });
}

const signals = ["SIGTERM", "SIGINT"] as const;
