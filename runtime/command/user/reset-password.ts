import { makeResetLink } from "../../auth/index.js";
import { shellWord } from "../app/command-line.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { say, sayJson, sayProgress } from "../report.js";
import { type UserOptions, withAccount } from "./account.js";

export interface UserResetPasswordOptions extends UserOptions {
  readonly json?: true;
}

/** Prints a link for setting a new password; nothing is emailed. */
export async function resetUserPassword(
  root: string,
  { email, json }: UserResetPasswordOptions,
): Promise<ExitCode> {
  const made = await withAccount(root, email, makeResetLink);
  switch (made.kind) {
    case "disabled-account":
      throw new CommandRefused(
        "The account is disabled",
        `run first: npx service user enable --email ${shellWord(email)}`,
      );
    case "unknown-dashboard":
      throw new CommandRefused(
        "There is no dashboard to link to",
        "set SERVICE_WEB_URL to the dashboard's address",
      );
    case "made": {
      const { link, minutes } = made;
      if (json) {
        sayJson({ link, minutes });
        return exit.done;
      }
      say(link);
      sayProgress(`It works once, for ${minutes} minutes; earlier links no longer work`);
      return exit.done;
    }
    default:
      return made satisfies never;
  }
}
