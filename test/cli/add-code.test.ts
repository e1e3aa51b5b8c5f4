import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeAppFolder, removeAppFolder } from "../support/apps/app-folder.js";
import { service } from "./service.js";

let root: string;

beforeEach(() => {
  root = makeAppFolder();
  write("service.yaml", "");
  write("resources/products.yaml", "fields: { name: { type: string } }\n");
  write("resources/order-items.yaml", "fields: { quantity: { type: number } }\n");
});
afterEach(() => removeAppFolder(root));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

const generated = 'import { createApp } from "./generated/app.js";\n';
const hook = ["add", "hook", "products", "beforeCreate"];
const policy = ["add", "policy", "products", "update"];
const route = ["add", "route", "reports/daily"];

const refuse =
  '// To refuse: throw refusal(409, "Why not"); import it from "service-runtime/errors".';

/** Lines of the hook, each with this before it. */
function hookLines(indent: string, types = ["", ""]): string {
  const [values, context] = types;
  const lines = [
    `beforeCreate(values${values}, _context${context}) {`,
    `  ${refuse}`,
    "  return values;",
    "},",
  ];
  return lines.map((line) => `${indent}${line}\n`).join("");
}

const policyLines = [
  "update(_caller, _record, _changes, _context) {",
  "  // Returning anything but true refuses the request with 403.",
  "  return true;",
  "},",
].map((line) => `      ${line}\n`);

const routeLines = [
  'routes.get("/reports/daily", (_request, response) => {\n',
  "  response.json({ data: [] });\n",
  "});\n",
].join("");

/** A file before and after a command, in which `…` stands for the hook's lines with the indentation before it. */
interface Case {
  readonly args?: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Other files that `server.ts` imports. */
  readonly others?: Readonly<Record<string, string>>;
  /** The one that is changed. */
  readonly changed?: string;
}

const untyped = [": ProductValues", ": HookContext<Resources>"];

const cases: Readonly<Record<string, Case>> = {
  "a call without arguments": {
    before: `${generated}\nconst app = await createApp();\nawait app.listen();\n`,
    after: `${generated}\nconst app = await createApp({\n  hooks: {\n    products: {\n${hookLines("      ")}    },\n  },\n});\nawait app.listen();\n`,
  },
  "an object of comments": {
    before: `${generated}\nconst app = await createApp({\n  // routes, // under /api\n});\n`,
    after: `${generated}\nconst app = await createApp({\n  // routes, // under /api\n  hooks: {\n    products: {\n${hookLines("      ")}    },\n  },\n});\n`,
  },
  "an object on one line": {
    before: `${generated}const a = {};\nexport const app = createApp({ authenticate: f, /* b */ tools: a });\n`,
    after: `${generated}const a = {};\nexport const app = createApp({\n  authenticate: f,\n  /* b */ tools: a,\n  hooks: {\n    products: {\n${hookLines("      ")}    },\n  },\n});\n`,
  },
  "hooks of another resource, without a last comma": {
    before: `${generated}createApp({\n  hooks: {\n    "order-items": {} // none\n  }\n});\n`,
    after: `${generated}createApp({\n  hooks: {\n    "order-items": {}, // none\n    products: {\n${hookLines("      ").replace(/,\n$/, "\n")}    }\n  }\n});\n`,
  },
  "a function around the call": {
    before: `${generated}export async function start() {\n  return createApp({ hooks: {} });\n}\n`,
    after: `${generated}export async function start() {\n  return createApp({ hooks: {\n    products: {\n${hookLines("      ")}    },\n  } });\n}\n`,
  },
  "a variable with a type": {
    before: `import { createApp, type Hooks } from "./generated/app.js";\nconst hooks: Hooks = {\n  products: {\n    afterCreate: () => {},\n  },\n};\nconst options = { hooks };\nawait createApp(options);\n`,
    after: `import { createApp, type Hooks } from "./generated/app.js";\nconst hooks: Hooks = {\n  products: {\n    afterCreate: () => {},\n${hookLines("    ")}  },\n};\nconst options = { hooks };\nawait createApp(options);\n`,
  },
  "a variable with a type of the package": {
    before: `import type { ResourceHooks } from "service-runtime/own-code";\n${generated}const products: ResourceHooks<object, object> = {};\nawait createApp({ hooks: { products } });\n`,
    after: `import type { ResourceHooks } from "service-runtime/own-code";\n${generated}const products: ResourceHooks<object, object> = {\n${hookLines("  ")}};\nawait createApp({ hooks: { products } });\n`,
  },
  "a variable without a type: parameters have theirs": {
    before: `${generated}const hooks = {};\nawait createApp({ hooks });\n`,
    after: `import type { HookContext } from "service-runtime/own-code";\nimport { createApp, type Resources } from "./generated/app.js";\nimport type { ProductValues } from "./generated/products/types.js";\nconst hooks = {\n  products: {\n${hookLines("    ", untyped)}  },\n};\nawait createApp({ hooks });\n`,
  },
  "a file without imports": {
    others: { "server.ts": `${generated}import { own } from "./own/hooks.js";\ncreateApp(own);\n` },
    changed: "own/hooks.ts",
    before: `// Ours.\n\n/** All. */\nexport const own = { hooks: { products: {} } };\n`,
    after: `// Ours.\n\nimport type { HookContext } from "service-runtime/own-code";\nimport type { Resources } from "../generated/app.js";\nimport type { ProductValues } from "../generated/products/types.js";\n\n/** All. */\nexport const own = { hooks: { products: {\n${hookLines("  ", untyped)}} } };\n`,
  },
  "a spread": {
    before: `${generated}const base = { hooks: { products: {} } } satisfies { hooks: Hooks };\nawait createApp({ ...base, tools: {} });\n`,
    after: `${generated}const base = { hooks: { products: {\n  beforeCreate(values, _context) {\n    ${refuse}\n    return values;\n  },\n} } } satisfies { hooks: Hooks };\nawait createApp({ ...base, tools: {} });\n`,
  },
  "a file that server.ts imports": {
    others: {
      "server.ts": `${generated}import { all } from "./own/index.js";\nawait createApp({ hooks: all });\n`,
      "own/index.ts": 'export { hooks as all } from "./hooks.js";\n',
    },
    changed: "own/hooks.ts",
    before: `import type { Hooks } from "../generated/app.js";\n\n/** All. */\nexport const hooks: Hooks = {};\n`,
    after: `import type { Hooks } from "../generated/app.js";\n\n/** All. */\nexport const hooks: Hooks = {\n  products: {\n${hookLines("    ")}  },\n};\n`,
  },
  "the call in another file, under another name": {
    others: { "server.ts": 'import { app } from "./app.js";\nawait app.listen();\n' },
    changed: "app.ts",
    before: `import { createApp as make } from "./generated/app.js";\nconst start = make;\nexport const app = await start({});\n`,
    after: `import { createApp as make } from "./generated/app.js";\nconst start = make;\nexport const app = await start({\n  hooks: {\n    products: {\n${hookLines("      ")}    },\n  },\n});\n`,
  },
  "an object with a comment at its end, and comments before a comma": {
    before: `${generated}createApp({\n  hooks: { "order-items": {} /* a */, }, // b\n  // c\n});\n`,
    after: `${generated}createApp({\n  hooks: {\n    "order-items": {} /* a */,\n    products: {\n${hookLines("      ")}    },\n  }, // b\n  // c\n});\n`,
  },
  "a module that is imported when it is needed": {
    args: route,
    before: `const app = await import("./generated/app.js");\nawait app.createApp({\n  tools: {}, // a\n  // b\n});\n`,
    after: `import { Router } from "express";\n\nconst app = await import("./generated/app.js");\nconst routes = Router();\n${routeLines}\nawait app.createApp({\n  tools: {}, // a\n  routes,\n  // b\n});\n`,
  },
  "a policy beside a hook": {
    args: policy,
    before: `${generated}createApp({\n  hooks: {},\n});\n`,
    after: `${generated}createApp({\n  hooks: {},\n  policies: {\n    products: {\n${policyLines.join("")}    },\n  },\n});\n`,
  },
  "a resource with a dash": {
    args: ["add", "policy", "order-items", "list"],
    before: `${generated}createApp({ policies: {\n} });\n`,
    after: `${generated}createApp({ policies: {\n  "order-items": {\n    list(_caller) {\n      // Returning anything but true refuses the request with 403.\n      return true;\n    },\n  },\n} });\n`,
  },
  "a first route": {
    args: route,
    before: `${generated}\n// Starts it.\nconst app = await createApp();\nawait app.listen();\n`,
    after: `import { Router } from "express";\n${generated}\nconst routes = Router();\n${routeLines}\n// Starts it.\nconst app = await createApp({ routes });\nawait app.listen();\n`,
  },
  "a further route, before what is last": {
    args: route,
    before: `import express, { Router } from "express";\n${generated}const routes = Router();\nroutes.use(express.json());\nroutes.get("/a", (_q, r) => r.end()); // a\nroutes.use(last);\nawait createApp({ routes });\n`,
    after: `import express, { Router } from "express";\n${generated}const routes = Router();\nroutes.use(express.json());\nroutes.get("/a", (_q, r) => r.end()); // a\n${routeLines}routes.use(last);\nawait createApp({ routes });\n`,
  },
  "a router in another file, which uses express as a whole": {
    args: route,
    others: {
      "server.ts": `${generated}import routes from "./routes.js";\nawait createApp({\n  routes,\n});\n`,
    },
    changed: "routes.ts",
    before: `import express from "express";\nconst router = express.Router();\nexport default router;\n`,
    after: `import express from "express";\nconst router = express.Router();\n${routeLines.replace("routes", "router")}export default router;\n`,
  },
  "a name that means something else": {
    args: route,
    before: `import { Router } from "./mine.js";\n${generated}const routes = [Router];\nawait createApp({ tools: routes });\n`,
    after: `import { Router as ExpressRouter } from "express";\nimport { Router } from "./mine.js";\n${generated}const routes = [Router];\nconst ownRoutes = ExpressRouter();\n${routeLines.replace("routes", "ownRoutes")}\nawait createApp({ tools: routes, routes: ownRoutes });\n`,
  },
};

test.each(Object.entries(cases))("adds to %s", async (_, given) => {
  const { args = hook, before, after, others = {}, changed = "server.ts" } = given;
  for (const [path, text] of Object.entries({ ...others, [changed]: before })) write(path, text);
  const { exitCode, stderr } = await service(root, args);
  expect([stderr, exitCode]).toEqual(["", 0]);
  expect(read(changed)).toBe(after);
  for (const [path, text] of Object.entries(others)) expect(read(path)).toBe(text);
});

test.each([
  [hook, "There is already a hook beforeCreate of products: server.ts:5"],
  [policy, "There is already a policy update of products: server.ts:5"],
  [
    ["add", "hook", "orderItems", "afterDelete"],
    /^There is already a hook afterDelete of order-items/,
  ],
  [route, "There is already a route /reports/daily: server.ts:4"],
])("refuses %j a second time", async (args, words) => {
  write("server.ts", `${generated}await createApp();\n`);
  expect((await service(root, args)).exitCode).toBe(0);
  const before = read("server.ts");
  const { exitCode, stdout, stderr } = await service(root, args);
  expect([stdout, exitCode]).toEqual(["", 1]);
  expect(stderr).toMatch(words);
  expect(read("server.ts")).toBe(before);
});

test.each([
  ['"order-items": { afterDelete() {} }', ["add", "hook", "order-items", "afterDelete"]],
  ["orderItems: { afterDelete: () => {} }", ["add", "hook", "order-items", "afterDelete"]],
])("finds code by the author: %s", async (member, args) => {
  const text = `${generated}createApp({ hooks: { ${member} } });\n`;
  write("server.ts", text);
  const { exitCode, stderr } = await service(root, args);
  expect([exitCode, stderr]).toEqual([
    1,
    "There is already a hook afterDelete of order-items: server.ts:2",
  ]);
});

test.each([
  ['routes.all("/reports/daily/", a);'],
  ['routes.route("/reports/daily").post(a).get(b);'],
  ['routes.get(["/x", "/reports/daily"], a);'],
])("finds a route that its author wrote: %s", async (line) => {
  write("server.ts", `import { routes } from "./routes.js";\n${generated}createApp({ routes });\n`);
  const text = `import { Router } from "express";\nexport const routes = Router();\n${line}\n`;
  write("routes.ts", text);
  const { exitCode, stderr } = await service(root, route);
  expect([exitCode, stderr]).toEqual([1, "There is already a route /reports/daily: routes.ts:3"]);
});

test("keeps quotes, semicolons, indentation, CRLF line ends and the byte order mark", async () => {
  const before = [
    "\uFEFFimport {createApp} from './generated/app.js'",
    "",
    "const app = await createApp({",
    "\ttools: {}, // keep",
    "})",
    "await app.listen()",
    "",
  ];
  write("server.ts", before.join("\r\n"));
  await service(root, hook);
  await service(root, route);
  const after = [
    "\uFEFFimport {Router} from 'express'",
    "import {createApp} from './generated/app.js'",
    "",
    "const routes = Router()",
    "routes.get('/reports/daily', (_request, response) => {",
    "\tresponse.json({ data: [] })",
    "})",
    "",
    "const app = await createApp({",
    "\ttools: {}, // keep",
    "\thooks: {",
    "\t\tproducts: {",
    "\t\t\tbeforeCreate(values, _context) {",
    `\t\t\t\t${refuse}`,
    "\t\t\t\treturn values",
    "\t\t\t},",
    "\t\t},",
    "\t},",
    "\troutes,",
    "})",
    "await app.listen()",
    "",
  ];
  expect(read("server.ts")).toBe(after.join("\r\n"));
});

test.each([
  ["syntax errors", `${generated}const app = await createApp({;\n`, /^server\.ts:2:\d+: \S/],
  ["no call", "export {};\n", /calls createApp/],
  ["a separate createApp", "const createApp = (a) => a;\ncreateApp({});\n", /calls createApp/],
  [
    "two calls",
    `${generated}createApp();\ncreateApp();\n`,
    /more than once: server\.ts:2 and server\.ts:3/,
  ],
  [
    "a parameter",
    `${generated}export const start = (own) => createApp(own);\n`,
    /own is not a constant/,
  ],
  [
    "the result of a function",
    `${generated}createApp({ ...make() });\n`,
    /make\(\) is not an object/,
  ],
  [
    "a variable that may change",
    `${generated}let hooks = {};\ncreateApp({ hooks });\n`,
    /is not a const/,
  ],
  [
    "an object that is changed",
    `${generated}const hooks = {};\nhooks.products = {};\ncreateApp({ hooks });\n`,
    /hooks\.products is modified here/,
  ],
  [
    "an object in two places",
    `${generated}const own = {};\ncreateApp({ hooks: { products: own, "order-items": own } });\n`,
    /own is used a second time/,
  ],
  [
    "a computed name",
    `${generated}const name = "hooks";\ncreateApp({ [name]: {} });\n`,
    /computed/,
  ],
  [
    "a circle",
    `${generated}const a = b;\nconst b = a;\ncreateApp(a);\n`,
    /a is used a second time/,
  ],
])("shows what to paste for %s, and changes nothing", async (_, text, words) => {
  write("server.ts", text);
  const { exitCode, stdout, stderr } = await service(root, hook);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(words);
  expect(stdout).toBe(
    `// In the options object passed to createApp:\nhooks: {\n  products: {\n${hookLines("    ")}  },\n},`,
  );
  expect(read("server.ts")).toBe(text);
});

test("shows what to paste for a router that is made elsewhere", async () => {
  const text = `${generated}import { make } from "./make.js";\nawait createApp({ routes: make() });\n`;
  write("server.ts", text);
  const { exitCode, stdout, stderr } = await service(root, route);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("server.ts:3: routes is not a constant initialized with Router()");
  expect(stdout).toContain(
    `import { Router } from "express";\n\nconst routes = Router();\n${routeLines}`,
  );
  expect(read("server.ts")).toBe(text);
});

test("a file that is not UTF-8 is left alone", async () => {
  const bytes = Buffer.from(`// caf\xe9\n${generated}createApp();\n`, "latin1");
  writeFileSync(join(root, "server.ts"), bytes);
  const { exitCode, stderr } = await service(root, hook);
  expect([exitCode, stderr.includes("is not valid UTF-8")]).toEqual([1, true]);
  expect(readFileSync(join(root, "server.ts"))).toEqual(bytes);
});

test.each([
  [
    "a resource that is not there",
    ["add", "hook", "produkts", "beforeCreate"],
    1,
    'did you mean "products"?',
  ],
  [
    "a hook that is not there",
    ["add", "hook", "products", "beforeSave"],
    2,
    "Allowed choices are beforeCreate",
  ],
  [
    "a policy that is not there",
    ["add", "policy", "products", "write"],
    2,
    "Allowed choices are list",
  ],
  ["a route that is generated", ["add", "route", "products"], 1, "is a generated route"],
  ["a route like a generated one", ["add", "route", "products/:name"], 1, "is a generated route"],
  ["a path with its beginning", ["add", "route", "api/reports"], 2, "below /api already"],
  ["a path that leaves", ["add", "route", "reports/../x"], 2, "Write a path such as"],
  ["a path with quotes", ["add", "route", 'a"b'], 2, "Write a path such as"],
])("refuses %s", async (_, args, status, words) => {
  const text = `${generated}createApp();\n`;
  write("server.ts", text);
  const { exitCode, stdout, stderr } = await service(root, args);
  expect({ exitCode, stdout }).toEqual({ exitCode: status, stdout: "" });
  expect(stderr).toContain(words);
  expect(read("server.ts")).toBe(text);
});

test("an app without server.ts gets a hint how to create one", async () => {
  const { exitCode, stderr } = await service(root, hook);
  expect([exitCode, stderr]).toEqual([
    1,
    `There is no server.ts in ${root}\n  hint: npx service init . writes one`,
  ]);
});
