import { isStatus, NetworkError, sentence } from "../../../api/client/errors.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";

/** What to say about an upload that failed, and whether the same file may be sent again. `most` is the largest size. */
export function uploadRefusal(error: unknown, most: number | null) {
  if (error instanceof NetworkError) return { message: enRecord.brokeOff, canRetry: true };
  const bound = isStatus(error, 413) && most !== null ? ` ${enRecord.atMost(size(most))}` : "";
  const isBusy = isStatus(error, 503) || isStatus(error, 429) || isStatus(error, 502);
  return { message: sentence(error) + bound, canRetry: isBusy || bound !== "" };
}
