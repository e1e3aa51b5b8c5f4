import { existsSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { resolve } from "node:path";
import { type OpenapiDocument, openDocument } from "./document.js";

/** The documents of the servers that run, by address. */
const documents = new Map<string, OpenapiDocument>();
const opened = new Map<string, OpenapiDocument>();

/** Off for a run: `UNCHECKED_ANSWERS=1`. */
const isOn = process.env.UNCHECKED_ANSWERS !== "1";

/** From now on every answer of the server that the tests' client gets has to be as the fixture's document says. */
export function checkAnswers(url: string, fixture: string): void {
  const path = resolve(import.meta.dirname, "../../../fixtures", fixture, "generated/openapi.json");
  if (!isOn || !existsSync(path)) return;
  const document = opened.get(path) ?? openDocument(readFileSync(path, "utf8"));
  opened.set(path, document);
  documents.set(url, document);
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

/** Throws where a server answered what its document does not say. */
export function checkAnswer(url: string, answer: CheckedAnswer): void {
  const document = documents.get(url);
  if (document === undefined) return;
  const { method, path, status, headers, text, body } = answer;
  const [bare = ""] = path.split("?");
  const operation = document.find(method, bare);
  // Paths and methods that do not exist are 404 and 405, and HEAD and OPTIONS stand for others.
  if (operation === undefined || status === 405) return;
  const problem = document.mistake(operation, {
    status,
    contentType: headers["content-type"],
    body: text === "" ? undefined : body,
  });
  if (problem === null) return;
  const { id } = operation;
  throw new Error(
    `openapi.json does not describe ${status} of ${id}: ${problem}\n${method} ${path}\n${text.slice(0, 2000)}`,
  );
}
