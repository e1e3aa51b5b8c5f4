import type { Command } from "commander";
import type { CommandFrame } from "../exit.js";
import type { DbPsqlOptions } from "./psql.js";
import type { DbUrlOptions } from "./url.js";

export function declareDb(program: Command, { root, finish }: CommandFrame): void {
  const db = program.command("db").description("inspect the database, or empty it");

  db.command("url")
    .description("print the database's address, with user, password and database")
    .option("--json", "print its parts as JSON")
    .action(async (options: DbUrlOptions) => {
      const { printUrl } = await import("./url.js");
      finish(await printUrl(root(), options));
    });

  db.command("psql")
    .description(
      "open a prompt in the database: psql, or a small built-in one if psql is not installed",
    )
    .option("-c, --command <sql>", "run these statements and exit")
    .action(async (options: DbPsqlOptions) => {
      const { openPrompt } = await import("./psql.js");
      finish(await openPrompt(root(), options));
    });
}
