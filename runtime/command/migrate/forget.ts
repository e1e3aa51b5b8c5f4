import { forgetMigration, type MigrationTarget } from "../../migrate/index.js";
import { type ExitCode, exit } from "../exit.js";
import { say, sayAside, sayJson, warn } from "../report.js";
import { pathOf } from "./messages.js";

/** Removes a migration whose file is missing from the database's list of applied migrations. */
export async function forgetLost(
  target: MigrationTarget,
  { lost, json }: { readonly lost: string; readonly json?: true | undefined },
): Promise<ExitCode> {
  const forgotten = await forgetMigration({ ...target, lost, onWarning: warn });
  if (json) {
    sayJson({ forgotten });
    return exit.done;
  }
  say(`forgotten  ${pathOf(forgotten)}`);
  sayAside(
    "Only the database's list of applied migrations has changed: what this one did to the tables stays, and",
  );
  sayAside(
    "npx service migrate --status lists that as unmanaged or different. Before the next generate or migrate,",
  );
  sayAside(
    "remove it from the database, or edit the new migration so that it does not create it again",
  );
  return exit.done;
}
