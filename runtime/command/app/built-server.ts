import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandRefused } from "../exit.js";

/**
 * Returns the path, within the app, to which `npm run build` writes the compiled `server.ts`.
 *
 * @throws {CommandRefused} if the app is not built.
 */
export function builtServer(root: string): string {
  const path = "dist/server.js";
  if (existsSync(join(root, path))) return path;
  throw new CommandRefused(`There is no ${path}`, "build the app first: npm run build");
}
