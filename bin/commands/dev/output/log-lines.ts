import { prettyFactory } from "pino-pretty";
import { z } from "zod";

/**
 * Formats the server's output: a JSON log entry becomes a readable line, such as `12:30:05 GET
 * /api/tasks 200 3.1 ms`; everything else stays unchanged.
 */
export function newLogPrinter({ colours }: { readonly colours: boolean }) {
  const pretty = prettyFactory({
    colorize: colours,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname,requestId,trace_id,span_id,method,path,route,status,ms,accountId",
    customPrettifiers: { time: (time) => String(time) },
    // biome-ignore lint/complexity/useMaxParams: pino-pretty calls it so.
    messageFormat: (log, messageKey, _level, { colors }) => {
      const { data: request } = requestEntry.safeParse(log);
      if (request === undefined) return String(log[messageKey] ?? "");
      const { method, path, status, ms } = request;
      const paint = status < 400 ? colors.green : status < 500 ? colors.yellow : colors.red;
      return `${method} ${path} ${paint(String(status))} ${ms} ms`;
    },
  });
  return (line: string): string => (isLogEntry(line) ? pretty(line) : `${line}\n`);
}

/** The log entry that `runtime/http` writes for each request. */
const requestEntry = z.object({
  method: z.string(),
  path: z.string(),
  status: z.number(),
  ms: z.number(),
});

const logEntry = z.object({ level: z.number(), time: z.number() });

/** Whether a line is a log entry; the app may print JSON too. */
function isLogEntry(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    return logEntry.safeParse(JSON.parse(line)).success;
  } catch {
    return false;
  }
}
