import { readEnvironment } from "../../config/index.js";
import { CommandRefused } from "../exit.js";
import { promptOnce, promptTwice } from "../user/password-prompt.js";

const variable = "SERVICE_BACKUP_PASSPHRASE";

export async function newPassphrase(root: string): Promise<string> {
  return given(root) ?? (await promptTwice("passphrase", refuseEmpty));
}

export async function knownPassphrase(root: string): Promise<string> {
  return given(root) ?? (await promptOnce("passphrase"));
}

/** Returns the passphrase; null if the command must prompt for it. */
function given(root: string): string | null {
  const passphrase = readEnvironment(root)[variable];
  if (passphrase !== undefined && passphrase !== "") return passphrase;
  if (process.stdin.isTTY) return null;
  throw new CommandRefused(
    "There is no passphrase, and no terminal to prompt for it",
    `set ${variable}`,
  );
}

function refuseEmpty(passphrase: string): void {
  if (passphrase === "")
    throw new CommandRefused("The passphrase is empty", "type one of several words");
}
