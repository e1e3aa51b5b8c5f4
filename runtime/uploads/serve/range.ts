import { refuse } from "../../errors/index.js";
import type { ByteRange } from "../storage/storage.js";

/**
 * The requested range of a file; null for the whole file (RFC 9110 §14), also for several ranges or an unknown unit.
 * 416 if the range begins after the end.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  const isSuffix = first === "";
  if (!isSuffix && last !== "" && Number(last) < Number(first)) return null;
  const start = isSuffix ? Math.max(0, size - Number(last)) : Number(first);
  const end = isSuffix || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) {
    refuse("RANGE_NOT_SATISFIABLE", { headers: { "content-range": `bytes */${size}` } });
  }
  return { start, end };
}
