import type { Command } from "commander";

/** An example to paste for each command and group of commands, by its words; the program itself has none. */
export type Examples = Readonly<Record<string, string>>;

export const examples: Examples = {
  migrate: "npx service migrate --status",
  dashboard: "npx service dashboard",
  doctor: "npx service doctor --json",
  routes: "npx service routes",
  jobs: "npx service jobs list --state failed",
  "jobs list": "npx service jobs list --state failed",
  "jobs retry": "npx service jobs retry 019c0e2a-3c5e-7d41-9b1a-52f0c7a8e601",
  "jobs cancel": "npx service jobs cancel 019c0e2a-3c5e-7d41-9b1a-52f0c7a8e601",
  work: "npx service work --concurrency 10",
  db: 'npx service db psql -c "select count(*) from tasks"',
  search: "npx service search rebuild products",
  "search rebuild": "npx service search rebuild products",
  "db url": "npx service db url",
  "db psql": 'npx service db psql -c "select count(*) from tasks"',
  export: "npx service export products --output products.csv",
  import: "npx service import products products.csv --on-error skip",
  backup: "npx service backup shop.backup --encrypt",
  restore: "npx service restore shop.backup --dry-run",
  seed: "npx service seed products",
  user: "npx service user create --email ann@example.com --name Ann --role admin",
  "user create": "npx service user create --email ann@example.com --name Ann --role admin",
  "user list": "npx service user list --json",
  "user set-email": "npx service user set-email --email ann@example.com --new ann.lee@example.com",
  "user set-role": "npx service user set-role --email ann@example.com --role editor",
  "user disable": "npx service user disable --email ann@example.com",
  "user enable": "npx service user enable --email ann@example.com",
  "user reset-password": "npx service user reset-password --email ann@example.com",
  "user disable-two-factor": "npx service user disable-two-factor --email ann@example.com",
  "user delete": "npx service user delete --email ann@example.com",
  "user identities": "npx service user identities --email ann@example.com",
  "user unlink": "npx service user unlink --email ann@example.com --provider google",
  "user events": "npx service user events --email ann@example.com --limit 20",
  token: 'npx service token create --email ann@example.com --name "nightly import" --days 90',
  "token create":
    'npx service token create --email ann@example.com --name "nightly import" --days 90',
  "token list": "npx service token list",
  "token revoke": "npx service token revoke 019c0e2a-3c5e-7d41-9b1a-52f0c7a8e601",
  uploads: "npx service uploads prune",
  "uploads prune": "npx service uploads prune --json",
  "uploads reprocess": "npx service uploads reprocess --profile product",
};

/** Appends an example to the help of a command and of its subcommands. */
export function addExamples(
  command: Command,
  examples: Examples,
  words: readonly string[] = [],
): void {
  const example = examples[words.join(" ")];
  if (example !== undefined) command.addHelpText("after", `\nExample:\n${example}`);
  for (const below of command.commands) addExamples(below, examples, [...words, below.name()]);
}
