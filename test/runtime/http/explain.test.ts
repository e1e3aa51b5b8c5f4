import { Router } from "express";
import { expect, test } from "vitest";
import { refuse } from "../../../runtime/errors/index.js";
import type { Route } from "../../../runtime/http/index.js";
import { startRoutes } from "./server.js";

const done = async () => ({ status: 204, json: null });

const routes: readonly Route[] = [
  { method: "GET", path: "/books/:id", access: ["admin", "editor"], handle: done },
  { method: "DELETE", path: "/books/:id", access: "nobody", handle: done },
  {
    method: "PATCH",
    path: "/books/:id",
    access: "signed-in",
    handle: async () => refuse("FORBIDDEN", { reason: 'the policy "update" of books' }),
  },
  { method: "POST", path: "/books", access: "signed-in", handle: async () => refuse("INVALID") },
];

const appRouter = Router();
appRouter.get("/own", () => refuse("FORBIDDEN", { error: "Not today" }));

test("in development the log says which rule or policy refused a request", async () => {
  const server = await startRoutes({ routes, appRouter, environment: "development" });
  const { member } = server;
  const reply = await member.get("/books/1?secret=x");
  expect(reply.body).toEqual({ error: "You may not do this" });
  await member.delete("/books/1");
  expect((await member.patch("/books/1", {})).body).toEqual({ error: "You may not do this" });
  await member.post("/books", {});
  await member.get("/own?secret=x");
  await server.anonymous.get("/books/1");
  expect(server.remarks.filter((remark) => remark.includes("403"))).toEqual([
    "GET /api/books/1 is refused (403): the access rule is [admin, editor], and the caller has no role",
    "DELETE /api/books/1 is refused (403): the access rule is nobody, and the caller has no role",
    'PATCH /api/books/1 is refused (403): the policy "update" of books',
    "GET /api/own is refused (403): Not today",
  ]);
  await server.close();
});

test("outside of development it does not", async () => {
  const server = await startRoutes({ routes });
  await server.member.get("/books/1");
  expect(server.remarks.filter((remark) => remark.includes("403"))).toEqual([]);
  await server.close();
});
