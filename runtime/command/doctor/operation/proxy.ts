import type { Config } from "../../../config/index.js";
import type { Access } from "../../../db/index.js";
import { lastUntrustedProxy } from "../../../operation/index.js";
import { dayOf, type Finding } from "../../report.js";
import { warning } from "../finding.js";

/** Checks whether servers received requests through an untrusted proxy; no finding otherwise. */
export async function checkProxy(
  db: Pick<Access, "query">,
  { server: { trustProxy } }: Config,
): Promise<readonly Finding[]> {
  const last = trustProxy > 0 ? null : await lastUntrustedProxy(db);
  if (last === null) return [];
  return [
    warning(
      "proxy",
      `requests arrive with X-Forwarded-For, last on ${dayOf(last)}, but no proxy is trusted: rate limits and device lists treat all of its clients as one`,
      "if it is your proxy that sends it, set server.trust_proxy: 1 in service.yaml (or the number of proxies in a row) and restart the server",
    ),
  ];
}
