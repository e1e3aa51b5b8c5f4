import { type Command, InvalidArgumentError, Option } from "commander";
import { eventKinds } from "../../values/api/event-kinds.js";
import { isUuid } from "../../values/uuid.js";
import type { CommandFrame } from "../exit.js";
import type { UserOptions } from "./account.js";
import type { UserCreateOptions } from "./create.js";
import type { UserEventsOptions } from "./events.js";
import type { UserIdentitiesOptions, UserUnlinkOptions } from "./identities.js";
import type { UserListOptions } from "./list.js";
import type { UserResetPasswordOptions } from "./reset-password.js";
import type { UserSetEmailOptions } from "./set-email.js";
import type { UserSetRoleOptions } from "./set-role.js";

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of commands and their options
export function declareUser(program: Command, { root, finish }: CommandFrame): void {
  const user = program.command("user").description("manage accounts");

  user
    .command("create")
    .description("create an account with a verified address")
    .requiredOption("--email <address>", "the person's sign-in name")
    .requiredOption("--name <name>", "the person's name")
    .option("--role <role>", "the role that access rules name")
    .option("--password-stdin", "read the password from standard input")
    .option("--json", "print the account as JSON")
    .action(async (options: UserCreateOptions) => {
      const { createUser } = await import("./create.js");
      finish(await createUser(root(), options));
    });

  user
    .command("list")
    .description("list every account")
    .option("--json", "print the accounts as JSON")
    .action(async (options: UserListOptions) => {
      const { listUsers } = await import("./list.js");
      finish(await listUsers(root(), options));
    });

  user
    .command("set-role")
    .description("give an account another role, from its next request on")
    .requiredOption("--email <address>", "whose account")
    .option("--role <role>", "the role that access rules name")
    .option("--no-role", "remove the role")
    .action(async (options: UserSetRoleOptions) => {
      const { setUserRole } = await import("./set-role.js");
      finish(await setUserRole(root(), options));
    });

  user
    .command("set-email")
    .description("change the address of an account; an email asks its owner to confirm it")
    .requiredOption("--email <address>", "whose account")
    .requiredOption("--new <address>", "the new address to sign in with")
    .action(async (options: UserSetEmailOptions) => {
      const { setUserEmail } = await import("./set-email.js");
      finish(await setUserEmail(root(), options));
    });

  user
    .command("disable")
    .description("sign an account out everywhere and refuse sign-ins to it")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { disableUser } = await import("./sign-in.js");
      finish(await disableUser(root(), options));
    });

  user
    .command("enable")
    .description("enable a disabled account")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { enableUser } = await import("./sign-in.js");
      finish(await enableUser(root(), options));
    });

  user
    .command("reset-password")
    .description("print a link for setting a new password, valid once and for an hour")
    .requiredOption("--email <address>", "whose account")
    .option("--json", "print the link as JSON")
    .action(async (options: UserResetPasswordOptions) => {
      const { resetUserPassword } = await import("./reset-password.js");
      finish(await resetUserPassword(root(), options));
    });

  user
    .command("disable-two-factor")
    .description("turn off an account's second step")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { disableUserTwoFactor } = await import("./sign-in.js");
      finish(await disableUserTwoFactor(root(), options));
    });

  user
    .command("delete")
    .description(
      "delete an account with its devices, its pictures and the records that are deleted with it; does not ask",
    )
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { deleteUser } = await import("./delete.js");
      finish(await deleteUser(root(), options));
    });

  user
    .command("identities")
    .description("list the providers that an account is linked to")
    .requiredOption("--email <address>", "whose account")
    .option("--json", "print them as JSON")
    .action(async (options: UserIdentitiesOptions) => {
      const { listUserIdentities } = await import("./identities.js");
      finish(await listUserIdentities(root(), options));
    });

  user
    .command("unlink")
    .description("unlink an account from a provider; its owner is notified by mail")
    .requiredOption("--email <address>", "whose account")
    .requiredOption("--provider <name>", "its name in auth.providers, now or formerly")
    .action(async (options: UserUnlinkOptions) => {
      const { unlinkUser } = await import("./identities.js");
      finish(await unlinkUser(root(), options));
    });

  user
    .command("events")
    .description("list account events, newest first")
    .addOption(new Option("--email <address>", "only events of this account").conflicts("id"))
    .option("--id <id>", "only events of this account, even if it was deleted", accountId)
    .addOption(new Option("--kind <kind>", "only events of this kind").choices(eventKinds))
    .option("--limit <n>", "how many, from 1 to 10000", upToTenThousand, 100)
    .option("--json", "print the events as JSON")
    .action(async (options: UserEventsOptions) => {
      const { listUserEvents } = await import("./events.js");
      finish(await listUserEvents(root(), options));
    });
}

function accountId(text: string): string {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError("Write an account's id.");
}

function upToTenThousand(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 10_000) return count;
  throw new InvalidArgumentError("Write a whole number from 1 to 10000.");
}
