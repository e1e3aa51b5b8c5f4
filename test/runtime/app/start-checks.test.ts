import { Router } from "express";
import { expect, test } from "vitest";
import { z } from "zod";
import { products } from "../../../fixtures/cases/search/generated/products/table.js";
import {
  refuseHiddenWords,
  refuseUnreachableCode,
} from "../../../runtime/app/start/start-checks.js";
import type { Route } from "../../../runtime/http/index.js";
import type { Guards, Hooks, Policies } from "../../../runtime/own-code/index.js";

const handle = async () => ({ status: 200, json: null });
const route = (method: Route["method"], path: string): Route => ({
  method,
  path,
  access: "signed-in",
  handle,
});
const generated = [
  route("GET", "/orders"),
  route("POST", "/orders"),
  route("GET", "/orders/_stats"),
  route("GET", "/orders/:id"),
  route("PATCH", "/orders/:id"),
  route("GET", "/order-items/:id"),
];
const routes = [...generated, route("GET", "/auth/me"), route("DELETE", "/auth/sessions/:id")];
const answer = () => {};

interface Others {
  readonly of?: readonly Route[];
  readonly hooks?: object;
  readonly tools?: object;
  readonly guards?: object;
}

/** The lines with which the start is refused; none where it is not. */
function refusal(
  policies: object,
  appRouter: Router | null = null,
  { of = generated, hooks = {}, tools = {}, guards = {} }: Others = {},
): readonly string[] {
  try {
    const own = {
      policies: policies as Policies,
      hooks: hooks as Hooks,
      guards: guards as Guards,
    };
    const checked = { ...own, tools: { ...tools } };
    refuseUnreachableCode({ ...checked, appRouter, generated: of, routes });
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split("\n") : [];
  }
}

test("policies of existing resources and actions are accepted", () => {
  const all = { list: answer, get: answer, stats: answer, create: answer, update: answer };
  const policies = { orders: { ...all, delete: answer }, "order-items": { get: undefined } };
  expect(refusal({ ...policies })).toEqual([]);
  expect(refusal({ orders: undefined })).toEqual([]);
});

test("a guard without a public create is refused", () => {
  const open: Route = { ...route("POST", "/notes"), access: ["public"] };
  const of = [...generated, open];
  expect(refusal({}, null, { of, guards: { notes: { create: answer } } })).toEqual([]);
  expect(refusal({}, null, { of, guards: { orders: { create: answer } } })).toEqual([
    'guards: "orders" has no public create (write create: public in its access, or remove the guard)',
  ]);
});

test("a policy that would never run is refused, with a suggestion", () => {
  const policies = {
    order: { update: answer },
    orderItems: {},
    __proto__: null,
    orders: { updat: answer, patch: answer, list: true },
    "order-items": answer,
    auth: {},
  };
  expect(refusal(policies)).toEqual([
    'policies: there is no resource "order" (did you mean "orders"?)',
    'policies: there is no resource "orderItems" (did you mean "order-items"?)',
    'policies: "orders" has no action "updat" (did you mean "update"?)',
    'policies: "orders" has no action "patch" (available: list, get, stats, create, update, delete)',
    'policies: "list" of "orders" must be a function (for example { create: (caller) => caller.role !== null })',
    'policies: "order-items" must be an object (for example { create: (caller) => caller.role !== null })',
    'policies: there is no resource "auth" (available: orders, order-items)',
  ]);
});

test("hooks of existing resources and names are accepted", () => {
  const all = { beforeCreate: answer, beforeUpdate: answer, beforeDelete: answer };
  const after = { afterCreate: answer, afterUpdate: answer, afterDelete: undefined };
  expect(refusal({}, null, { hooks: { orders: { ...all, ...after }, "order-items": {} } })).toEqual(
    [],
  );
});

test("a hook that would never run is refused, with a suggestion", () => {
  const hooks = {
    order: { beforeCreate: answer },
    orderItems: {},
    orders: { beforCreate: answer, create: answer, afterDelete: "x" },
  };
  expect(refusal({}, null, { hooks })).toEqual([
    'hooks: there is no resource "order" (did you mean "orders"?)',
    'hooks: there is no resource "orderItems" (did you mean "order-items"?)',
    'hooks: "orders" has no hook "beforCreate" (did you mean "beforeCreate"?)',
    'hooks: "orders" has no hook "create" (available: beforeCreate, beforeUpdate, beforeDelete, beforeRestore, afterCreate, afterUpdate, afterDelete)',
    'hooks: "afterDelete" of "orders" must be a function (for example { beforeCreate: (values) => values })',
  ]);
});

test("ten of many resources are named, and the others are counted", () => {
  const many = Array.from({ length: 13 }, (_, n) => route("GET", `/shelf-${"x".repeat(4 * n)}`));
  const named = many.slice(0, 10).map(({ path }) => path.slice(1));
  expect(refusal({ auth: {} }, null, { of: many })).toEqual([
    `policies: there is no resource "auth" (available: ${named.join(", ")} and 3 more)`,
  ]);
  expect(refusal({ auth: {} }, null, { of: [] })).toEqual([
    'policies: there is no resource "auth" (none exist)',
  ]);
});

test("app routes that can be reached are accepted", () => {
  const router = Router();
  router.use((_request, _response, next) => next());
  router.get("/", answer);
  router.get("/orders/top", answer);
  router.get("/orders/:id/lines", answer);
  router.get("/:resource/top", answer);
  router.get("/{:any}", answer);
  router.all("/orders/*rest", answer);
  router.get(/orders/, answer);
  router.get("/Orders", answer);
  router.route("/order-items/every");
  router.use("/orders", answer);
  expect(refusal({}, router)).toEqual([]);
});

test("app routes that are generated or never reached are refused, all at once", () => {
  const router = Router();
  router.get("/orders", answer);
  router.patch("/orders/:number", answer);
  router.put("/orders", answer);
  router.delete("/orders/:id/", answer);
  router.all("/orders/_stats", answer);
  router.get("/auth/me", answer);
  const sessions = Router();
  sessions.delete("/:id", answer);
  router.use("/auth/sessions", sessions);
  expect(refusal({ orderz: {} }, router)).toEqual([
    'policies: there is no resource "orderz" (did you mean "orders"?)',
    "routes: GET /orders is already generated as GET /orders (choose another path)",
    "routes: PATCH /orders/:number is already generated as PATCH /orders/:id (choose another path)",
    "routes: PUT /orders is never reached, because the generated /orders matches first (choose another path)",
    "routes: DELETE /orders/:id is never reached, because the generated /orders/:id matches first (choose another path)",
    "routes: GET /orders/_stats is already generated as GET /orders/_stats (choose another path)",
    "routes: GET /auth/me is already generated as GET /auth/me (choose another path)",
    "routes: DELETE /auth/sessions/:id is already generated as DELETE /auth/sessions/:id (choose another path)",
  ]);
});

test("a router of an older Express is refused, since it cannot list its routes", () => {
  const older = Object.assign(Router(), { listRoutes: undefined });
  expect(refusal({}, older)).toEqual([
    "routes: this router comes from an Express version before 5.3 (run: npm install express@^5.3)",
  ]);
});

test("a tool that agents could not call is refused", () => {
  const tool = { description: "Does.", input: z.object({}), run: answer };
  expect(refusal({}, null, { tools: { remind: tool, "send-mail_2": tool } })).toEqual([]);
  const tools = {
    find: tool,
    "send mail": tool,
    ["x".repeat(65)]: tool,
    nothing: undefined,
    text: { ...tool, description: 1 },
    list: { ...tool, input: z.array(z.string()) },
    date: { ...tool, input: z.object({ at: z.date() }) },
    plain: { ...tool, input: { at: "string" } },
  };
  const name = "(use up to 64 letters, digits, - and _, a letter first)";
  const parts =
    'must have a description, an input and run (for example { description: "…", input: z.object({ … }), run: async (input, context) => … })';
  const input =
    "is not an object that can be written as JSON Schema (pass a z.object({ … }) of zod 4.2 or newer)";
  expect(refusal({}, null, { tools })).toEqual([
    'tools: "find" is a tool of the package (give yours another name)',
    `tools: "send mail" is not a valid tool name ${name}`,
    `tools: "${"x".repeat(65)}" is not a valid tool name ${name}`,
    `tools: "nothing" ${parts}`,
    `tools: "text" ${parts}`,
    `tools: the input of "list" ${input}`,
    `tools: the input of "date" ${input}`,
    `tools: the input of "plain" ${input}`,
  ]);
});

test("a list policy of a record whose fields are searched through a link is refused", () => {
  const definition = {
    table: products,
    shapes: { create: {}, replace: {}, update: {} },
    access: products.access,
  };
  const starting = (policies: Policies) => () => refuseHiddenWords(policies, [definition]);
  const list = () => true;
  const refused = (field: string, resource: string) =>
    `"search" of "products" includes "${field}", but a policy decides who may list "${resource}"`;
  expect(starting({ categories: { list } })).toThrow(refused("category.name", "categories"));
  expect(starting({ labels: { list } })).toThrow(refused("labels.name", "labels"));
  const harmless = { products: { list }, categories: { get: list }, labels: undefined };
  expect(starting(harmless)).not.toThrow();
});
