import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { resolve } from "node:path";
import { type OpenapiDocument, openDocument } from "./document.js";
import { countJudged, isJudging } from "./judged-count.js";

interface JudgedServer {
  readonly document: OpenapiDocument;
  readonly hasAppRoutes: boolean;
  judged: number;
}

/** The servers that run, by address. */
const servers = new Map<string, JudgedServer>();
const opened = new Map<string, OpenapiDocument>();

export interface ServerRoutes {
  /** Whether the server has more routes than its document, which then describes neither them nor their answers. */
  readonly hasAppRoutes: boolean;
}

/** Checks every further answer of the server to the tests' client against the fixture's document. */
export function checkAnswers(
  url: string,
  fixture: string,
  { hasAppRoutes }: ServerRoutes = { hasAppRoutes: false },
): void {
  // The documents of golden cases are not kept.
  if (!isJudging || fixture.startsWith("cases/")) return;
  const path = resolve(import.meta.dirname, "../../../fixtures", fixture, "generated/openapi.json");
  const document = opened.get(path) ?? openDocument(readFileSync(path, "utf8"));
  opened.set(path, document);
  servers.set(url, { document, hasAppRoutes, judged: 0 });
}

/** For a server that closes: another one may get its address. */
export function ignoreAnswers(url: string): void {
  servers.delete(url);
}

/** Number of checked answers of the server. */
export function judgedAnswers(url: string): number {
  return servers.get(url)?.judged ?? 0;
}

export interface CheckedAnswer {
  readonly method: string;
  /** Below `/api`, with its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** Throws if an answer is not in the server's document. */
export function checkAnswer(url: string, answer: CheckedAnswer): void {
  const server = servers.get(url);
  if (server === undefined) return;
  const problem = problemOf(server, answer);
  if (problem === null) return;
  const { method, path, status, text } = answer;
  throw new Error(
    `openapi.json does not describe ${status} of ${method} ${path}: ${problem}\n${text.slice(0, 2000)}`,
  );
}

function problemOf(server: JudgedServer, answer: CheckedAnswer): string | null {
  const { document, hasAppRoutes } = server;
  const { method, path, status, headers, text, body } = answer;
  // These are templates of others, and 405 says that the path does not know the method.
  if (method === "HEAD" || method === "OPTIONS" || status === 405) return null;
  const [bare = ""] = path.split(/\/?(?:\?|$)/);
  const operation = document.find(method, bare);
  if (operation === undefined) {
    // Too long a head is refused before its path is looked at.
    if (status === 431) return null;
    // The type's name takes the place of the resource's there, and the token is required before either.
    const isUpload = bare.startsWith("/_service/uploads/");
    return status === 404 || isUpload || hasAppRoutes ? null : "there is no such operation";
  }
  server.judged += 1;
  countJudged();
  return document.mistake(operation, {
    status,
    contentType: headers["content-type"],
    body: text === "" ? undefined : body,
  });
}
