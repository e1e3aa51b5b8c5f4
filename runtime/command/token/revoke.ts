import { revokeToken } from "../../auth/index.js";
import { isUuid } from "../../values/uuid.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { sayDone } from "../report.js";

/** Revokes a service token, effective from the next request. */
export async function revokeServiceToken(root: string, id: string): Promise<ExitCode> {
  const isRevoked =
    isUuid(id) && (await withAppServices(root, (services) => revokeToken(services, id)));
  if (!isRevoked) {
    throw new CommandRefused(
      `There is no service token ${JSON.stringify(id)}`,
      "npx service token list shows them all",
    );
  }
  sayDone(`The token ${id} is revoked`);
  return exit.done;
}
