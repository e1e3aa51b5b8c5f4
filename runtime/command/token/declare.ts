import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandFrame } from "../exit.js";
import type { TokenCreateOptions } from "./create.js";
import type { TokenListOptions } from "./list.js";

export function declareToken(program: Command, { root, finish }: CommandFrame): void {
  const token = program.command("token").description("manage service tokens");

  token
    .command("create")
    .description(
      "create a service token, with which a program acts as an account, and print it once",
    )
    .requiredOption("--email <address>", "whose account")
    .requiredOption("--name <what for>", "name shown in lists of devices and tokens")
    .addOption(
      new Option("--days <n>", "days until the token expires (default: as long as a session)")
        .argParser(wholeDays)
        .conflicts("expiry"),
    )
    .option("--no-expiry", "keep it valid until it is revoked")
    .option("--json", "print the token and its stored properties as JSON")
    .action(async (options: TokenCreateOptions) => {
      const { createServiceToken } = await import("./create.js");
      finish(await createServiceToken(root(), options));
    });

  token
    .command("list")
    .description("list service tokens")
    .option("--json", "print them as JSON")
    .action(async (options: TokenListOptions) => {
      const { listServiceTokens } = await import("./list.js");
      finish(await listServiceTokens(root(), options));
    });

  token
    .command("revoke")
    .description("revoke a token immediately")
    .argument("<id>", "as service token list shows it")
    .action(async (id: string) => {
      const { revokeServiceToken } = await import("./revoke.js");
      finish(await revokeServiceToken(root(), id));
    });
}

function wholeDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= 3650) return days;
  throw new InvalidArgumentError("Write a whole number from 1 to 3650.");
}
