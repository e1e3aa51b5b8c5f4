import { createToken, revokeToken } from "../../auth/index.js";
import { shellWord } from "../app/command-line.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { dayOf, isOutputLost, say, sayJson, sayProgress } from "../report.js";
import { type UserOptions, withAccount } from "../user/account.js";

export interface TokenCreateOptions extends UserOptions {
  readonly name: string;
  readonly days?: number;
  /** False for `--no-expiry`. */
  readonly expiry: boolean;
  readonly json?: true;
}

/** Prints a new service token as the only text on standard output; it cannot be shown again. */
export async function createServiceToken(
  root: string,
  { email, name, days, expiry, json }: TokenCreateOptions,
): Promise<ExitCode> {
  const made = await withAccount(root, email, (services, address) =>
    createToken(services, { email: address, name, days: expiry ? (days ?? null) : "never" }),
  );
  switch (made.kind) {
    case "disabled-account":
      throw new CommandRefused(
        "The account is disabled",
        `run first: npx service user enable --email ${shellWord(email)}`,
      );
    case "too-many":
      throw new CommandRefused(
        `The account already has ${made.limit} tokens, the maximum`,
        "revoke one that is no longer used: npx service token list",
      );
    case "made": {
      const { token, listed } = made;
      const { id, expiresAt } = listed;
      if (json) sayJson({ id, token, email: listed.email, name: listed.name, expiresAt });
      else say(token);
      if (await isOutputLost()) {
        // The token could not be printed, so it is revoked.
        await withAppServices(root, (services) => revokeToken(services, id));
        return exit.mustChange;
      }
      if (json) return exit.done;
      const end = expiresAt === null ? "it is revoked" : dayOf(expiresAt);
      sayProgress(`It acts as ${listed.email} until ${end}, and is not shown again`);
      return exit.done;
    }
    default:
      return made satisfies never;
  }
}
