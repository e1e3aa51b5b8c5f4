import { countEncrypted } from "../../auth/index.js";
import type { Config } from "../../config/index.js";
import { withConnection } from "../app/connection.js";
import { count, type Finding } from "../report.js";
import { ok, problem, warning } from "./finding.js";

/** Checks which secrets decrypt stored values, and thus whether the previous one may be removed. */
export async function checkEncryption(config: Config): Promise<Finding> {
  const { previous, undecryptable } = await withConnection(config, (db) =>
    countEncrypted(db, config),
  );
  if (undecryptable > 0) {
    return problem("encryption", `${count(undecryptable, "secret")} cannot be decrypted`, fixLost);
  }
  return previous > 0
    ? warning(
        "encryption",
        `${count(previous, "secret")} encrypted with the previous one`,
        fixPrevious,
      )
    : ok("encryption", "SERVICE_SECRET decrypts everything");
}

const fixLost =
  "set SERVICE_SECRET_PREVIOUS to the previous secret, or run for each: npx service user disable-two-factor --email <address>";

const fixPrevious =
  "keep SERVICE_SECRET_PREVIOUS and start the server, which re-encrypts them and sends queued mails";
