import { originalTag } from "../../../values/api/entity-tag.js";
import type { Finding } from "../../report.js";
import { ok, warning } from "../finding.js";

const check = "tags";

/** Timeout of a response in milliseconds. */
const patience = 5_000;

/** The encodings that browsers accept, tested one by one: a proxy may treat them differently. */
const codings = ["gzip", "br", "zstd"];

/**
 * Checks whether compression between users and the API preserves entity tags; no finding if the address does not lead
 * to the API.
 */
export async function checkTags(webUrl: string): Promise<readonly Finding[]> {
  const address = new URL("/api/_service/ping", webUrl).href;
  const plain = await tagAt(address, "identity");
  if (plain === undefined) return [];
  const coded = await Promise.all(codings.map((coding) => tagAt(address, coding)));
  const tags = [plain, ...coded.filter((tag) => tag !== undefined)];
  const { origin } = new URL(webUrl);
  if (tags.includes(null)) {
    const which = plain === null ? "answers" : "compressed answers";
    return [warning(check, `${origin} removes the ETag of ${which}`, fix)];
  }
  const originals = new Set(tags.map((tag) => originalTag(tag ?? "")));
  if (originals.size > 1) {
    const pair = [...originals].slice(0, 2).join(" and ");
    return [warning(check, `${origin} has different ETags for the same response: ${pair}`, fix)];
  }
  return [ok(check, `${origin} passes on the ETags of responses`)];
}

const fix =
  "configure the proxy to pass on the ETag, unchanged or weakened: without it, the dashboard overwrites concurrent changes, and If-Match is refused";

/**
 * Returns the tag of a response long enough to be compressed; null if it was lost, undefined if the response is not
 * from the API.
 */
async function tagAt(address: string, coding: string): Promise<string | null | undefined> {
  try {
    const answer = await fetch(address, {
      method: "GET",
      headers: { accept: "application/json", "accept-encoding": coding, "service-doctor": "1" },
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
    const isOurs = answer.headers.has("service-doctor") && answer.status === 200;
    await answer.body?.cancel();
    return isOurs ? answer.headers.get("etag") : undefined;
  } catch {
    return undefined;
  }
}
