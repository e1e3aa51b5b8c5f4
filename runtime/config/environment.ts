import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process's variables over those of the app's `.env`; a missing `.env` is fine. */
export function readEnvironment(root: string): Environment {
  return Object.freeze({ ...readDotEnv(join(root, ".env")), ...process.env });
}

function readDotEnv(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
