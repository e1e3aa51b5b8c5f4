import type { Command } from "commander";
import type { UserCreateOptions } from "./commands/user-create.js";
import type { UserListOptions } from "./commands/user-list.js";
import type { UserResetPasswordOptions } from "./commands/user-reset-password.js";
import type { UserSetRoleOptions } from "./commands/user-set-role.js";
import type { CommandFrame } from "./exit.js";
import type { UserOptions } from "./user/account.js";

/** Adds the commands below `user`. */
export function addUserCommands(user: Command, { root, finish }: CommandFrame): void {
  user
    .command("create")
    .description("create an account with a verified address")
    .requiredOption("--email <address>", "what the person signs in with")
    .requiredOption("--name <name>", "what the person is called")
    .option("--role <role>", "the role that access rules ask for")
    .option("--password-stdin", "read the password from standard input")
    .option("--json", "print the account as JSON")
    .action(async (options: UserCreateOptions) => {
      const { createUser } = await import("./commands/user-create.js");
      finish(await createUser(root(), options));
    });

  user
    .command("list")
    .description("list every account")
    .option("--json", "print the accounts as JSON")
    .action(async (options: UserListOptions) => {
      const { listUsers } = await import("./commands/user-list.js");
      finish(await listUsers(root(), options));
    });

  user
    .command("set-role")
    .description("give an account another role, at once")
    .requiredOption("--email <address>", "whose account")
    .option("--role <role>", "the role that access rules ask for")
    .option("--no-role", "take the role away")
    .action(async (options: UserSetRoleOptions) => {
      const { setUserRole } = await import("./commands/user-set-role.js");
      finish(await setUserRole(root(), options));
    });

  user
    .command("disable")
    .description("sign an account out everywhere and let nobody sign in to it")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { disableUser } = await import("./commands/user-disable.js");
      finish(await disableUser(root(), options));
    });

  user
    .command("enable")
    .description("let people sign in to a disabled account again")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { enableUser } = await import("./commands/user-enable.js");
      finish(await enableUser(root(), options));
    });

  user
    .command("reset-password")
    .description("print a link that sets another password, once and within an hour")
    .requiredOption("--email <address>", "whose account")
    .option("--json", "print the link as JSON")
    .action(async (options: UserResetPasswordOptions) => {
      const { resetUserPassword } = await import("./commands/user-reset-password.js");
      finish(await resetUserPassword(root(), options));
    });

  user
    .command("disable-two-factor")
    .description("switch an account's second step off")
    .requiredOption("--email <address>", "whose account")
    .action(async (options: UserOptions) => {
      const { disableUserTwoFactor } = await import("./commands/user-disable-two-factor.js");
      finish(await disableUserTwoFactor(root(), options));
    });
}
