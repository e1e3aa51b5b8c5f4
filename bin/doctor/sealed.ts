import { countSealed } from "../../runtime/auth/index.js";
import type { Config } from "../../runtime/config/index.js";
import { openDatabase } from "../../runtime/db/index.js";
import { newLog } from "../../runtime/http/index.js";
import { count } from "../report.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Which secret opens what is stored encrypted, and so whether the previous one may be taken away. */
export async function checkSealed(config: Config): Promise<Finding> {
  const { url, prepare } = config.database;
  const log = newLog({ logLevel: "silent" });
  const db = openDatabase({ url, poolSize: 1, prepare, log });
  try {
    const { previous, lost } = await countSealed(db, config);
    if (lost > 0) return problem("sealed", `${count(lost, "secret")} cannot be opened`, mendLost);
    return previous > 0
      ? warning("sealed", `${count(previous, "secret")} sealed with the previous one`, mendPrevious)
      : ok("sealed", "SERVICE_SECRET opens everything");
  } finally {
    await db.close();
  }
}

const mendLost =
  "set SERVICE_SECRET_PREVIOUS to the secret before, or: service user disable-two-factor";

const mendPrevious = "keep SERVICE_SECRET_PREVIOUS and start the server, which seals them anew";
