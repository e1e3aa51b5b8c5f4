import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "../result/problem.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables of the process, which override those of the app's `.env` if it exists. Throws a `ConfigError`
 * if `.env` cannot be read.
 */
export function readEnvironment(root: string): Environment {
  return Object.freeze({ ...readDotEnv(join(root, ".env")), ...process.env });
}

/**
 * Returns the variables of the dashboard's process. `HOST` and `PORT` in the app's `.env` are the API's, so they are
 * read from the process only.
 */
export function readDashboardEnvironment(root: string): Environment {
  const { HOST: _host, PORT: _port, ...shared } = readDotEnv(join(root, ".env"));
  return Object.freeze({ ...shared, ...process.env });
}

function readDotEnv(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "ENOENT") return {};
    const isFolder = error.code === "EISDIR";
    const message = isFolder ? "This is a folder" : `This file cannot be read (${error.code})`;
    const hint = isFolder ? lines : "check its permissions and the account that runs this";
    throw new ConfigError([{ file: ".env", line: 1, column: 1, message, hint }]);
  }
}

const lines = ".env is a file with a line NAME=value for each variable";
