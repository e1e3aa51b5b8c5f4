import { isStatus, NetworkError, sentence } from "../../../api/client/errors.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";

/** The message about a failed upload, and whether the same file can be retried. `most` is the maximum size. */
export function uploadRefusal(error: unknown, most: number | null) {
  if (error instanceof NetworkError) return { message: enRecord.brokeOff, canRetry: true };
  const bound = isStatus(error, 413) && most !== null ? ` ${enRecord.atMost(size(most))}` : "";
  const isBusy = isStatus(error, 503) || isStatus(error, 429) || isStatus(error, 502);
  return { message: sentence(error) + bound, canRetry: isBusy || bound !== "" };
}
