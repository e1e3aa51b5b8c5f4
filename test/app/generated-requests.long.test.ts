import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { type FixtureApp, startApp } from "../support/apps/app.js";
import type { Reply } from "../support/http/client.js";
import { judgedAnswers } from "../support/openapi/answers.js";
import { type DocumentOperation, openDocument } from "../support/openapi/document.js";
import { openStage } from "../support/openapi/exchange.js";
import { type Mistake, type WrongRequest, wrongRequest } from "../support/openapi/mistakes.js";
import { newRandom } from "../support/openapi/random.js";
import {
  addressOf,
  bodySchema,
  type MadeRequest,
  validRequest,
} from "../support/openapi/requests.js";
import { withVariables } from "../support/processes/environment.js";
import { isHurried, isLong } from "../support/searches.js";

const fixtures = resolve(import.meta.dirname, "../../fixtures");
const files = [
  Buffer.from("%PDF-1.4\n%%EOF\n"),
  readFileSync(`${fixtures}/pictures/everything.png`),
];

/** Pages and scripts: what they answer is no JSON. */
const unasked = ["getServiceDocs", "getServiceDocsFile", "deleteAuthMe"];
/** What neither app has switched on is 404 whatever is asked. */
const switchedOff = /^\/(oauth|auth\/(apps|provider|identities)|_service\/(jobs|schedule))/;

// Half of the requests have a mistake. The client itself refuses answers that the document does not describe.
test.each([
  ["apps/shop" as const, isLong ? (isHurried ? 1_000 : 8_000) : 150],
  ["names" as const, isLong ? (isHurried ? 500 : 4_000) : 60],
])(
  "requests generated from the OpenAPI document of %s succeed, and invalid ones are refused as documented",
  { timeout: 600_000 },
  async (name, count) => {
    // In development each email's link would be printed.
    const app = await withVariables({ NODE_ENV: "test" }, () => startApp(name));
    try {
      await exchange(name, app, count);
    } finally {
      await app.close();
    }
  },
);

async function exchange(
  name: FixtureApp,
  app: Awaited<ReturnType<typeof startApp>>,
  count: number,
): Promise<void> {
  const text = readFileSync(`${fixtures}/${name}/generated/openapi.json`, "utf8");
  const parsed = JSON.parse(text);
  const document = openDocument(text);
  const stage = await openStage(app);
  // Only the shop of the tests stores files in a folder of its own.
  const takesFiles = name === "apps/shop";
  const operations = document.operations.filter(
    (each) =>
      !unasked.includes(each.id) &&
      !switchedOff.test(each.path) &&
      (takesFiles || bodySchema(parsed, each) !== null),
  );
  const creates = operations.filter(({ method, path }) => method === "POST" && isList(path));
  const made = (operation: DocumentOperation, seed: number) => {
    const random = newRandom(seed);
    const known = stage.known(operation.path, (limit) => random.below(limit));
    return { random, request: validRequest({ document: parsed, random, known }, operation, files) };
  };

  // What links lead to is there before they are made.
  for (const round of [1, 2, 3]) {
    for (const [at, operation] of creates.entries()) {
      await stage.send(made(operation, round * 1000 + at).request);
    }
    await stage.refresh();
  }
  const problems: string[] = [];
  const judgedBefore = judgedAnswers(app.url);
  for (let at = 0; at < count; at++) {
    if (at % 500 === 499) await stage.refresh();
    const seed = 1_000_000 + at;
    const operation = newRandom(seed).pick(operations);
    const { random, request } = made(operation, seed);
    const wrong = at % 2 === 0 ? null : wrongRequest({ parsed, document, random }, request);
    const sent = wrong ?? request;
    try {
      const reply = await stage.send(sent);
      const isRight = wrong === null ? isTaken(request, reply) : isRefused(wrong, reply);
      if (!isRight) problems.push(`${shown(sent)}\n  ${reply.status} ${reply.text.slice(0, 300)}`);
    } catch (error) {
      problems.push(`${shown(sent)}\n  ${error}`);
    }
  }
  expect(problems.slice(0, 30)).toEqual([]);
  expect(judgedAnswers(app.url) - judgedBefore).toBeGreaterThanOrEqual(count);
}

/** `/products` */
function isList(path: string): boolean {
  return /^\/[^/_][^/]*$/.test(path);
}

/** These apps have no operators, so that there is nothing at these paths. */
const forOperators = /^\/_service\/(?:account|service-tokens|status|jobs|schedule|webhooks)/;

/** Sentences of refusals that depend on what is stored. */
const ofData = [
  /^No such record$/,
  /^Another record has /,
  /^No file was uploaded/,
  /^This field does not accept/,
  /^The account is disabled/,
  /^Must be an entry of this record's history/,
  /already/i,
];

/** Sentences about parameters that depend on others, which no schema can say. */
const ofOthers = [
  // The `where` of an inverse has the schema of all others, which go further.
  / is an inverse$/,
  /^Needs search$/,
  // Only of what is in the trash.
  /^"deletedAt" is not a field$/,
  // Not of what is in the trash.
  / is neither a link nor an inverse$/,
];

/** Whether the field is added to: what its sum may be depends on what is stored. */
function isAddedTo(body: unknown, path: string): boolean {
  const value = (body as Record<string, unknown> | undefined)?.[path];
  return typeof value === "object" && value !== null && "add" in value;
}

function isTaken(
  { operation: { path, id }, body: sent }: MadeRequest,
  { status, body }: Reply,
): boolean {
  if (status < 400) return true;
  // Of accounts nearly all depends on what was mailed, or is switched on.
  if (/^\/auth\/|^\/_service\/(account|batch|uploads)/.test(path)) return status < 500;
  const { issues = [] } = body as { issues?: { path?: string; message: string }[] };
  const areOfData = issues.every(
    ({ path = "", message }) =>
      isAddedTo(sent, path) || ofData.some((sentence) => sentence.test(message)),
  );
  switch (status) {
    case 400:
      return issues.every(({ message }) => ofOthers.some((sentence) => sentence.test(message)));
    case 403:
    case 409:
    case 412:
      return true;
    case 404:
      return path.includes("{") || forOperators.test(path);
    case 422:
      return areOfData || id.startsWith("upload");
    default:
      return false;
  }
}

/** Besides the refusals that come first: by rule, and of records that are not there or have another tag. */
const refusals: Readonly<Record<Mistake, readonly number[]>> = {
  token: [401],
  id: [404],
  parameter: [400, 422],
  header: [400],
  type: [415],
  json: [400],
  value: [400, 422],
};

function isRefused(
  { mistake, operation: { path } }: WrongRequest,
  { status, text }: Reply,
): boolean {
  // A key that another request had, or an account to be enabled first, is told before.
  if (status === 422 && /idempotency key|account is disabled/.test(text)) return true;
  const first = mistake === "token" ? (forOperators.test(path) ? [404] : []) : [403, 404, 412];
  const ofAccounts = path.startsWith("/auth/") ? [401, 429] : [];
  return [...refusals[mistake], ...first, ...ofAccounts].includes(status);
}

function shown(request: MadeRequest & Partial<WrongRequest>): string {
  const { operation, headers, body, text, mistake = "valid", place = "" } = request;
  const sent = text ?? (Buffer.isBuffer(body) ? "a file" : JSON.stringify(body));
  return [mistake, place, operation.method, addressOf(request), JSON.stringify(headers), sent].join(
    " ",
  );
}
