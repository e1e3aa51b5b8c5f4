import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitVerbs, longestSentence, longestSubject, rules } from "./prose/rules.js";
import { type Prose, pageProse, sourceProse, testTitles } from "./prose/texts.js";

const root = join(import.meta.dirname, "..");

/** Pages and folders that have been revised. What is not listed yet is not checked. */
const revised = {
  pages: [
    "README.md",
    "docs/README.md",
    "docs/access.md",
    "docs/accounts.md",
    "docs/agents.md",
    "docs/assistants.md",
    "docs/asvs.md",
    "docs/browser.md",
    "docs/changes.md",
    "docs/cluster.md",
    "docs/commands.md",
    "docs/comparison.md",
    "docs/concurrent-writes.md",
    "docs/configuration.md",
    "docs/contributing.md",
    "docs/dashboard.md",
    "docs/data.md",
    "docs/deployment.md",
    "docs/descriptors.md",
    "docs/design.md",
    "docs/directories.md",
    "docs/engines.md",
    "docs/files.md",
    "docs/history.md",
    "docs/http-api.md",
    "docs/jobs.md",
    "docs/migrations.md",
    "docs/moving-accounts.md",
    "docs/operations.md",
    "docs/own-code.md",
    "docs/performance.md",
    "docs/providers.md",
    "docs/public.md",
    "docs/recipes-code.md",
    "docs/recipes.md",
    "docs/scaling.md",
    "docs/security.md",
    "docs/upgrading.md",
    "docs/webhooks.md",
  ],
  sources: [
    "bin",
    "generator",
    "runtime/app/create-app.ts",
    "runtime/app/exports.ts",
    "runtime/app/jobs",
    "runtime/app/open.ts",
    "runtime/app/processes",
    "runtime/app/role.ts",
    "runtime/app/routes.ts",
    "runtime/app/routes/account-routes.ts",
    "runtime/app/routes/agent-routes.ts",
    "runtime/app/routes/avatar-route.ts",
    "runtime/app/routes/docs-page.ts",
    "runtime/app/routes/docs-routes.ts",
    "runtime/app/routes/openapi-route.ts",
    "runtime/app/routes/route-list.ts",
    "runtime/app/routes/signed-routes.ts",
    "runtime/app/routes/system-routes.ts",
    "runtime/app/serve.ts",
    "runtime/app/start",
    "runtime/auth/account",
    "runtime/auth/config-route.ts",
    "runtime/auth/event",
    "runtime/auth/identity",
    "runtime/auth/index.ts",
    "runtime/auth/input.ts",
    "runtime/auth/limit",
    "runtime/auth/mailed",
    "runtime/auth/methods/email-change",
    "runtime/auth/methods/email-code",
    "runtime/auth/methods/email-verification",
    "runtime/auth/methods/magic-link",
    "runtime/auth/methods/passkey",
    "runtime/auth/methods/password",
    "runtime/auth/methods/password-reset",
    "runtime/auth/methods/provider/available.ts",
    "runtime/auth/methods/provider/binding.ts",
    "runtime/auth/methods/provider/callback.ts",
    "runtime/auth/methods/provider/form.ts",
    "runtime/auth/methods/provider/identities.ts",
    "runtime/auth/methods/provider/input.ts",
    "runtime/auth/methods/provider/link.ts",
    "runtime/auth/methods/provider/logout.ts",
    "runtime/auth/methods/provider/protocol/apple.ts",
    "runtime/auth/methods/provider/protocol/ask.ts",
    "runtime/auth/methods/provider/protocol/claim.ts",
    "runtime/auth/methods/provider/protocol/exchange.ts",
    "runtime/auth/methods/provider/protocol/github-api.ts",
    "runtime/auth/methods/provider/protocol/github.ts",
    "runtime/auth/methods/provider/protocol/id-token.ts",
    "runtime/auth/methods/provider/protocol/keys.ts",
    "runtime/auth/methods/provider/protocol/logout-token.ts",
    "runtime/auth/methods/provider/protocol/metadata.ts",
    "runtime/auth/methods/provider/protocol/microsoft.ts",
    "runtime/auth/methods/provider/protocol/open.ts",
    "runtime/auth/methods/provider/protocol/profile.ts",
    "runtime/auth/methods/provider/routes.ts",
    "runtime/auth/methods/provider/rules.ts",
    "runtime/auth/methods/provider/sign-in.ts",
    "runtime/auth/methods/provider/start.ts",
    "runtime/auth/methods/provider/store.ts",
    "runtime/auth/methods/provider/try-provider.ts",
    "runtime/auth/methods/register",
    "runtime/auth/operator",
    "runtime/auth/password",
    "runtime/auth/profile",
    "runtime/auth/pruning.ts",
    "runtime/auth/routes.ts",
    "runtime/auth/second-step",
    "runtime/auth/service-token",
    "runtime/backup",
    "runtime/changes",
    "runtime/clock",
    "runtime/command",
    "runtime/config/environment",
    "runtime/config/file",
    "runtime/config/read",
    "runtime/config/result",
    "runtime/config/shape/providers.ts",
    "runtime/config/shape/section.ts",
    "runtime/config/shape/uploads.ts",
    "runtime/dashboard",
    "runtime/data",
    "runtime/db",
    "runtime/errors",
    "runtime/http",
    "runtime/jobs",
    "runtime/loading",
    "runtime/mail",
    "runtime/mail/development.ts",
    "runtime/mail/kept.ts",
    "runtime/mail/letter/message.ts",
    "runtime/mail/letter/name.ts",
    "runtime/mail/letter/app-message.ts",
    "runtime/mail/mailer.ts",
    "runtime/mail/queue",
    "runtime/mail/send",
    "runtime/mcp/agents.ts",
    "runtime/mcp/index.ts",
    "runtime/mcp/origin.ts",
    "runtime/mcp/protocol.ts",
    "runtime/mcp/tools",
    "runtime/messages",
    "runtime/migrate",
    "runtime/operation",
    "runtime/own-code",
    "runtime/polling",
    "runtime/queue",
    "runtime/request",
    "runtime/resource/app-resources",
    "runtime/resource/batch",
    "runtime/resource/endpoints",
    "runtime/resource/exports.ts",
    "runtime/resource/hooks",
    "runtime/resource/idempotency",
    "runtime/resource/index.ts",
    "runtime/resource/list",
    "runtime/resource/numbers",
    "runtime/resource/own-code",
    "runtime/resource/query",
    "runtime/resource/record",
    "runtime/resource/table",
    "runtime/resource/time-zone",
    "runtime/resource/transfer",
    "runtime/resource/write",
    "runtime/secret",
    "runtime/uploads",
    "runtime/values",
    "runtime/views",
    "runtime/webhooks",
  ] as string[],
  /** Sources of which only comments are checked: tests quote their messages, or these have the rule `nobody`. */
  comments: [
    "bin/commands/dev/database.ts",
    "bin/commands/generate/front-end.ts",
    "bin/commands/generate/report-changes.ts",
    "bin/embedded/account.ts",
    "generator/descriptor/access/rule.ts",
    "generator/descriptor/section/display.ts",
    "generator/descriptor/fields.ts",
    "generator/descriptor/notation.ts",
    "generator/resolve/access/field-access.ts",
    "generator/resolve/screens.ts",
    "runtime/command/jobs/declare.ts",
    "runtime/command/user/declare.ts",
  ],
  titles: ["test"],
};

const isBelow = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

const texts = [
  ...pageProse().filter(({ path }) => revised.pages.includes(path)),
  ...sourceProse(["bin", "generator", "runtime"]).filter(
    ({ path, kind }) =>
      isBelow(path, revised.sources) && (kind !== "message" || !revised.comments.includes(path)),
  ),
  ...testTitles().filter(({ path }) => isBelow(path, revised.titles)),
];

const place = ({ path, line }: Prose) => `${path}:${line}`;

test.each(rules)("no text says $pattern: write $instead", ({ pattern }) => {
  const found = texts.filter(({ text }) => pattern.test(text));
  expect(found.map((one) => `${place(one)} ${pattern.exec(one.text)?.[0]}`)).toEqual([]);
});

/** Sentences, table cells and the parts between semicolons and colons. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?:;])\s+|\s*\|\s*/);
}

test(`sentences of pages and doc comments have at most ${longestSentence} words`, () => {
  const found = texts
    .filter(({ kind }) => kind === "page" || kind === "doc comment")
    .flatMap((one) => sentencesOf(one.text).map((sentence) => ({ one, sentence })))
    .filter(
      ({ sentence }) =>
        sentence.split(/\s+/).filter((word) => /[a-z]/i.test(word) && !word.startsWith("`"))
          .length > longestSentence,
    );
  expect(found.map(({ one, sentence }) => `${place(one)} ${sentence}`)).toEqual([]);
});

/** A copy without history, such as a package's source, has no subjects to check. */
const hasHistory = existsSync(join(root, ".git"));

test.runIf(hasHistory)(
  "the subjects of recent commits describe what happened to the product",
  () => {
    const subjects = execFileSync("git", ["log", "--no-merges", "-n", "12", "--format=%s"], {
      cwd: root,
      encoding: "utf8",
    });
    const found = subjects
      .trim()
      .split("\n")
      .filter(
        (subject) =>
          subject.length > longestSubject ||
          !commitVerbs.some((verb) => subject.startsWith(`${verb} `)),
      );
    expect(found).toEqual([]);
  },
);
