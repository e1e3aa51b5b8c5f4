import { beforeEach, expect, test, vi } from "vitest";
import { nextAttempt } from "../../../runtime/dashboard/web/api/client/writes.js";
import {
  type Draft,
  draftName,
  forgetDraft,
  keepDraft,
  keptDraft,
  maxDraftLength,
  maxDrafts,
} from "../../../runtime/dashboard/web/browser/storage/drafts.js";
import {
  fileProblem,
  kindsOf,
} from "../../../runtime/dashboard/web/kinds/input/files/file-rules.js";

/** Keeps texts by name, as a browser does; its names are its own keys. */
class Storage {
  getItem(name: string): string | null {
    return (this as unknown as Record<string, string>)[name] ?? null;
  }
  setItem(name: string, text: string): void {
    (this as unknown as Record<string, string>)[name] = text;
  }
  removeItem(name: string): void {
    delete (this as unknown as Record<string, string>)[name];
  }
}

beforeEach(() => {
  vi.stubGlobal("localStorage", new Storage());
});

const draft = (at: number, mine = "b"): Draft => ({
  etag: '"1"',
  at,
  fields: { name: { before: "a", mine } },
  attempt: { body: "{}", key: "k" },
});
const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith("draft:"));

test("a draft is kept by account, resource and record, and is restored unchanged", () => {
  const name = draftName("ann", "products", null);
  expect(keptDraft(name)).toBeNull();
  expect(keepDraft(name, draft(Date.now()))).toBe(true);
  expect(keptDraft(name)).toMatchObject({ fields: { name: { mine: "b" } }, attempt: { key: "k" } });
  expect(keptDraft(draftName("bob", "products", null))).toBeNull();
  expect(keptDraft(draftName("ann", "products", "1"))).toBeNull();
  forgetDraft(name);
  expect(keptDraft(name)).toBeNull();
});

test("the oldest of too many drafts is deleted, and each after 30 days", () => {
  const now = Date.now();
  for (let at = 0; at <= maxDrafts; at += 1) {
    keepDraft(draftName("ann", "products", String(at)), draft(now - 1_000 + at));
  }
  expect(drafts()).toHaveLength(maxDrafts);
  expect(keptDraft(draftName("ann", "products", "0"))).toBeNull();
  const old = draftName("ann", "products", "old");
  keepDraft(old, draft(now - 31 * 86_400_000));
  expect(keptDraft(old)).toBeNull();
});

test("a draft that is too long, and a full or broken storage, keep nothing and block nothing", () => {
  const name = draftName("ann", "products", "1");
  expect(keepDraft(name, draft(Date.now()))).toBe(true);
  expect(keepDraft(name, draft(Date.now(), "x".repeat(maxDraftLength)))).toBe(false);
  expect(keptDraft(name)).toBeNull();
  localStorage.setItem(name, "{ not JSON");
  expect(keptDraft(name)).toBeNull();
  localStorage.setItem(name, '{"at":1e15,"fields":{"name":3}}');
  expect(keptDraft(name)).toBeNull();
  vi.stubGlobal("localStorage", {
    setItem() {
      throw new Error("full");
    },
  });
  expect(keepDraft(name, draft(Date.now()))).toBe(false);
});

test("the same body keeps its key, another one gets another", () => {
  const first = nextAttempt(null, "{}");
  expect(first.key).toMatch(/^[\da-f]{32}$/);
  expect(nextAttempt(first, "{}")).toBe(first);
  expect(nextAttempt(first, '{"a":1}').key).not.toBe(first.key);
});

test("a file is checked before a byte of it is sent", () => {
  const image = { type: "image" } as const;
  const pdf = { type: "file", accept: ["application/pdf", "image/*"] } as const;
  const file = (type: string, size = 10, name = "a") => ({ name, type, size });
  expect(fileProblem(image, file("image/png"), 100)).toBeNull();
  expect(fileProblem(image, file("image/bmp"), 100)).toMatch(/^This file is not accepted/);
  expect(fileProblem(image, file("image/svg+xml"), 100)).toBeNull();
  expect(fileProblem(image, file("image/heic"), 100)).toBeNull();
  expect(fileProblem(image, file("image/png", 101), 100)).toMatch(/is too large/);
  expect(fileProblem(image, file("image/png", 0), 100)).toBe("This file is empty.");
  expect(fileProblem(image, file("image/png", 101), null)).toBeNull();
  expect(fileProblem(pdf, file("image/webp"), 100)).toBeNull();
  expect(fileProblem(pdf, file("text/plain"), 100)).toBe(
    "This file is not accepted. Use PDF or any image.",
  );
  expect(fileProblem({ type: "file" }, file("text/html"), 100)).toMatch(/Browsers would run/);
  expect(fileProblem({ type: "file" }, file(""), 100)).toBeNull();
  const any = { type: "file", accept: "any" } as const;
  expect(fileProblem(any, file("text/html"), 100)).toBeNull();
  expect(kindsOf(any)).toBe("Any file");
  expect(kindsOf(image)).toMatch(/^JPEG, PNG/);
});
