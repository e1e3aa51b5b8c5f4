import { countEncrypted } from "../../runtime/auth/index.js";
import type { Config } from "../../runtime/config/index.js";
import { withConnection } from "../connection.js";
import { count } from "../report.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Which secret opens what is stored encrypted, and so whether the previous one may be taken away. */
export async function checkEncryption(config: Config): Promise<Finding> {
  const { previous, lost } = await withConnection(config, (db) => countEncrypted(db, config));
  if (lost > 0) return problem("sealed", `${count(lost, "secret")} cannot be opened`, fixLost);
  return previous > 0
    ? warning("sealed", `${count(previous, "secret")} sealed with the previous one`, fixPrevious)
    : ok("sealed", "SERVICE_SECRET opens everything");
}

const fixLost =
  "set SERVICE_SECRET_PREVIOUS to the secret before, or run for each: npx service user disable-two-factor --email <address>";

const fixPrevious =
  "keep SERVICE_SECRET_PREVIOUS and start the server, which seals them anew and sends mails that wait";
