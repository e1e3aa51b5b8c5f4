import { type Logger, pino } from "pino";
import type { Config } from "../config/index.js";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "fatal">;

/** One JSON line an event, to standard output. */
export function newLog({ logLevel }: Pick<Config, "logLevel">): Log {
  return pino({ level: logLevel, base: null });
}
