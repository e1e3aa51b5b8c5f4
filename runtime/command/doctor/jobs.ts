import { openDatabase } from "../../db/index.js";
import { findOrphans } from "../../jobs/index.js";
import { silentLog } from "../app/connection.js";
import { count, type Finding } from "../report.js";
import { warning } from "./finding.js";

/** Finds jobs that wait forever because the app no longer has a job with their name. */
export async function checkJobs(url: string): Promise<readonly Finding[]> {
  const db = openDatabase({ url, poolSize: 1, prepare: false, log: silentLog() });
  try {
    return (await findOrphans(db)).map(({ name, waiting }) =>
      warning(
        "jobs",
        `${count(waiting, "waiting job")} named "${name}", which the app does not define`,
        "give the job its former name, or delete them: npx service jobs cancel <id>",
      ),
    );
  } finally {
    await db.close();
  }
}
