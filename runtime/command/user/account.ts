import { findAccountId, LastOperator, normaliseAddress } from "../../auth/index.js";
import { type AppServices, withAppServices } from "../app/services.js";
import { CommandRefused } from "../exit.js";

/** The email address of the account, as the user typed it. */
export interface UserOptions {
  readonly email: string;
}

/** Runs the action on the account with the typed address; refuses an address without an account. */
export async function withAccount<Found>(
  root: string,
  email: string,
  act: (services: AppServices, address: string) => Promise<Found | null>,
): Promise<Found> {
  const address = addressOf(email);
  try {
    const found = await withAppServices(root, (services) => act(services, address));
    return found ?? refuseUnknown(address);
  } catch (error) {
    if (error instanceof LastOperator) throw new CommandRefused(error.message, error.hint);
    throw error;
  }
}

/** Returns the id of the account with the typed address; refuses an address without an account. */
export async function accountIdOf({ db }: AppServices, email: string): Promise<string> {
  const address = addressOf(email);
  return (await findAccountId(db, address)) ?? refuseUnknown(address);
}

/** Normalizes an email address; refuses an invalid one. */
export function addressOf(email: string): string {
  const address = normaliseAddress(email);
  if (address !== null) return address;
  throw new CommandRefused(
    `${JSON.stringify(email)} is not an email address`,
    "write it as ann@example.com",
  );
}

function refuseUnknown(address: string): never {
  throw new CommandRefused(`${address} has no account`, "npx service user list shows all accounts");
}
