import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ConfigError, readConfig, readEnvironment } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

/** The problems of a file, each as one line. */
function linesOf(text: string, environment: Record<string, string> = {}): readonly string[] {
  const root = appFolder({ "service.yaml": text });
  return problemsOf({ root, environment: { DATABASE_URL: databaseUrl, ...environment } }).map(
    ({ file, line, column, message, hint }) =>
      `${file}:${line}:${column} ${message}${hint === null ? "" : ` | ${hint}`}`,
  );
}

test("refuses every mistake of a file in one pass, each with its place", () => {
  expect(
    linesOf(`app: { nmae: Shop }
server:
  port: 70000
  cors_orgins: []
  trust_proxy: yes
auth:
  two_factor: { sms: true }
  magic_link: maybe
uploads:
  storage: { driver: ftp }
  profiles:
    1st: { width: 10, height: 10 }
    tiny: { width: 0, height: 10, fit: stretch }
colour: red
`),
  ).toEqual([
    'service.yaml:1:8 app.nmae is not a setting | did you mean "name"?',
    "service.yaml:3:9 server.port must be a whole number from 0 to 65535",
    'service.yaml:4:3 server.cors_orgins is not a setting | did you mean "cors_origins"?',
    "service.yaml:5:16 server.trust_proxy must be a whole number from 0 to 100",
    "service.yaml:7:17 auth.two_factor.sms is not a setting | known here: authenticator, email",
    "service.yaml:8:15 auth.magic_link must be true or false",
    "service.yaml:10:22 uploads.storage.driver must be one of disk, s3",
    "service.yaml:12:5 uploads.profiles.1st must be a name of letters, digits, - and _ that begins with a letter",
    "service.yaml:13:20 uploads.profiles.tiny.width must be a whole number from 1 to 16383",
    "service.yaml:13:40 uploads.profiles.tiny.fit must be one of cover, contain",
    "service.yaml:14:1 colour is not a setting | known here: app, client, server, limits, database, auth, uploads, mailer, jobs, changes, webhooks",
  ]);
});

test("operators are roles, and anything else is refused with its place", () => {
  const list = "write them in brackets: operators: [admin]";
  const role = "must be a role: 1 to 255 characters without whitespace around them";
  expect(linesOf("auth: { operators: admin }\n")).toEqual([
    `service.yaml:1:20 auth.operators must be a list of roles | ${list}`,
  ]);
  expect(linesOf("auth: { operators: { admin: true } }\n")).toEqual([
    `service.yaml:1:9 auth.operators must be a list of roles | ${list}`,
  ]);
  expect(linesOf('auth:\n  operators: [admin, 1, "", " a", [b], nobody, owner.lead]\n')).toEqual([
    "service.yaml:2:22 auth.operators.1 must be text; put it in quotes",
    `service.yaml:2:25 auth.operators.2 ${role}`,
    `service.yaml:2:29 auth.operators.3 ${role}`,
    "service.yaml:2:35 auth.operators.4 must be text; put it in quotes",
    "service.yaml:2:40 auth.operators.5 is a word of access rules, not a role | name the roles of accounts, such as admin; an empty list means no account",
    "service.yaml:2:48 auth.operators.6 is a word of access rules, not a role | name the roles of accounts, such as admin; an empty list means no account",
  ]);
  expect(linesOf("auth: { operators: [admin, admin, Team lead] }\n")).toEqual([]);
  expect(linesOf("auth: { operators: }\n")).toEqual([]);
});

test.each([
  [
    "auth: { profiles: [admin, owner] }\n",
    'service.yaml:1:9 auth.profiles must be signed-in, nobody, public, or a list of roles such as [admin]; "owner" is not a role',
  ],
  [
    "auth: { profiles: [owner.lead] }\n",
    'service.yaml:1:9 auth.profiles must be signed-in, nobody, public, or a list of roles such as [admin]; "owner.lead" is not a role',
  ],
  [
    "auth: { profiles: everybody }\n",
    "service.yaml:1:19 auth.profiles must be signed-in, nobody, public, or a list of roles such as [admin]",
  ],
  [
    "auth: { profiles: [] }\n",
    "service.yaml:1:9 auth.profiles must be signed-in, nobody, public, or a list of roles such as [admin]",
  ],
  [
    "auth: { profiles: [1] }\n",
    "service.yaml:1:9 auth.profiles must be signed-in, nobody, public, or a list of roles such as [admin]",
  ],
  [
    "server: { workers: 0 }\n",
    "service.yaml:1:20 server.workers must be a whole number from 1 to 64",
  ],
  [
    "server: { workers: 65 }\n",
    "service.yaml:1:20 server.workers must be a whole number from 1 to 64",
  ],
  ["server: 5\n", "service.yaml:1:9 server must be a map of settings"],
  ["- a\n", "service.yaml:1:1 service.yaml must be a map of settings"],
  ["app: { name: 5 }\n", "service.yaml:1:14 app.name must be text; put it in quotes"],
  ["app: { name: }\n", "service.yaml:1:8 app.name must have a value"],
  [
    "server:\n  metrics: { zz: 1 }\n",
    "service.yaml:2:14 server.metrics.zz is not a setting | known here: host, port",
  ],
  [
    "auth:\n  providers:\n    google: { client_id: a, secret: b, client_secret: c }\n",
    "service.yaml:3:29 auth.providers.google.secret is not a setting | known here: issuer, client_id, client_secret, client_ids, register, domains, second_step, email_claim, session_hours, roles, roles_required",
  ],
  [
    "auth:\n  providers:\n    google: { client_id: a }\n",
    "service.yaml:3:5 auth.providers.google.client_secret must have a value",
  ],
  [
    "server: { cors_origins: a }\n",
    "service.yaml:1:25 server.cors_origins must be a list of origins",
  ],
  [
    "server: { cors_origins: ['https://a.example/x'] }\n",
    "service.yaml:1:26 server.cors_origins.0 must be an origin such as https://shop.example.com, without a path",
  ],
  [
    "server: { cors_origins: ['https://*.example.com'] }\n",
    "service.yaml:1:26 server.cors_origins.0 must be one origin, without a wildcard",
  ],
  [
    "database: { url: mysql://x }\n",
    "service.yaml:1:18 database.url must be an address that begins with postgres://",
  ],
  [
    "database: { url: 'postgres://x/y?sslmode=require&schema=shop' }\n",
    "service.yaml:1:18 database.url must have no parameter schema: the app's tables are in the schema public",
  ],
  [
    "database: { url: 'postgres://x/y?sslmode=verify-ca' }\n",
    "service.yaml:1:18 database.url must have sslrootcert, the file of the certificate authority, with sslmode=verify-ca",
  ],
  [
    'mailer: { driver: smtp, url: "smtp://mail.example?requireTLS=true&logger=true" }\n',
    "service.yaml:1:30 mailer.url may have the options requireTLS, ignoreTLS, name, servername, authMethod and tls.… only",
  ],
  [
    'mailer: { driver: smtp, url: "smtp://?x" }\n',
    "service.yaml:1:30 mailer.url must be an address that begins with smtp:// or smtps://",
  ],
  [
    "mailer: { driver: smtp }\n",
    "service.yaml:1:19 mailer.url must be set with the driver smtp | write it here or set SERVICE_MAIL_URL",
  ],
  [
    "mailer: { from: nobody }\n",
    "service.yaml:1:17 mailer.from must be an email address, or a name and an address: Shop <no-reply@example.com>",
  ],
  [
    "uploads:\n  storage: { driver: s3 }\n",
    "service.yaml:2:3 uploads.storage.bucket is required with driver s3 | add bucket: <name> below uploads.storage",
  ],
  [
    "uploads:\n  storage: { driver: s3, bucket: 7 }\n",
    "service.yaml:2:34 uploads.storage.bucket must be text; put it in quotes",
  ],
  [
    `server: { port: \${PROT} }\n`,
    `service.yaml:1:17 a variable inside { } needs quotes | put \${PROT} in quotes inside { }`,
  ],
  [
    `server:\n  cors_origins: [\${SHOP:-https://a.example}]\n`,
    `service.yaml:2:18 a variable inside [ ] needs quotes | put \${SHOP} in quotes inside [ ]`,
  ],
  [
    "<<<<<<< HEAD\napp: {}\n=======\napp: { name: Shop }\n>>>>>>> other\n",
    "service.yaml:1:1 this file has merge conflict markers | keep what you need from both sides and delete the marker lines",
  ],
  [
    "uploads: { storage: { driver: s3, bucket: a, access_key_id: b } }\n",
    "service.yaml:1:31 uploads.storage.access_key_id and secret_access_key must both be set, or neither",
  ],
  [
    "uploads: { resumable: { pending_bytes: 5 } }\n",
    "service.yaml:1:40 uploads.resumable.pending_bytes must be at least uploads.resumable.max_bytes | an upload of the largest file would be refused",
  ],
  [
    "auth: { apps: { allow: some } }\n",
    "service.yaml:1:24 auth.apps.allow must be any, or a list of hosts such as [claude.ai, chatgpt.com]",
  ],
  [
    "auth: { apps: { allow: [] } }\n",
    "service.yaml:1:17 auth.apps.allow must be any, or a list of hosts such as [claude.ai, chatgpt.com]",
  ],
  [
    'auth: { apps: { allow: [claude.ai, "chatgpt.com:443"] } }\n',
    "service.yaml:1:36 auth.apps.allow.1 must be a host such as claude.ai, with its port unless that is 443",
  ],
  [
    'auth: { apps: { allow: ["https://claude.ai"] } }\n',
    "service.yaml:1:25 auth.apps.allow.0 must be a host such as claude.ai, with its port unless that is 443",
  ],
  [
    "auth: { apps: { allow: any, access_minutes: 0 } }\n",
    "service.yaml:1:45 auth.apps.access_minutes must be a whole number from 1 to 43200",
  ],
  ["app: {}\napp: {}\n", "service.yaml:2:1 Map keys must be unique"],
  ["app: *shop\n", 'service.yaml:1:6 There is no anchor named "shop" above'],
  ["app: &app [*app]\n", 'service.yaml:1:12 the alias "*app" is inside "&app" itself'],
  [
    "app: {}\n---\n",
    "service.yaml:2:1 service.yaml must be a single document, and a second one begins here",
  ],
  [
    `app: { name: "\${SHOP NAME}" }\n`,
    `service.yaml:1:14 \`\${\` does not begin a variable | write \${NAME} or \${NAME:-default}`,
  ],
  [
    `server: { port: "\${SHOP_PORT}" }\n`,
    `service.yaml:1:17 server.port needs \${SHOP_PORT}, which is not set | set the environment variable SHOP_PORT, or write a default: \${SHOP_PORT:-…}`,
  ],
  [
    `mailer: { driver: smtp, url: "smtp://\${MAIL_USER}:\${MAIL_PASSWORD}@mail.example" }\n`,
    `service.yaml:1:30 mailer.url needs \${MAIL_USER} and \${MAIL_PASSWORD}, which are not set | set the environment variable MAIL_USER, MAIL_PASSWORD, or write a default: \${MAIL_USER:-…}`,
  ],
  [
    `app: { name: "\${SHOP} of \${SHOP}" }\n`,
    `service.yaml:1:14 app.name needs \${SHOP}, which is not set | set the environment variable SHOP, or write a default: \${SHOP:-…}`,
  ],
  [
    `server: { cors_origins: ["https://a.example", "https://\${SHOP}.example"] }\n`,
    `service.yaml:1:47 server.cors_origins.1 needs \${SHOP}, which is not set | set the environment variable SHOP, or write a default: \${SHOP:-…}`,
  ],
  [
    `uploads: { storage: { driver: s3, bucket: b, access_key_id: "\${KEY}" } }\n`,
    `service.yaml:1:61 uploads.storage.access_key_id needs \${KEY}, which is not set | set the environment variable KEY, or write a default: \${KEY:-…}`,
  ],
])("refuses %j", (text, line) => {
  expect(linesOf(text)).toEqual([line]);
});

test("an unset variable is allowed if the environment overrides the setting", () => {
  const mailer = `mailer: { driver: smtp, url: "smtp://u:\${MAIL_PASSWORD}@mail" }\n`;
  expect(linesOf(mailer, { SERVICE_MAIL_URL: "smtp://other" })).toEqual([]);
  expect(linesOf(`server: { port: "\${SHOP_PORT}" }\n`, { PORT: "80" })).toEqual([]);
});

test("refuses endless nesting and aliases", () => {
  expect(linesOf(`app: ${"[".repeat(100_000)}\n`)).toEqual([
    "service.yaml:1:69 values are nested too deeply",
  ]);
  const tenOf = (text: string) => `[${Array(10).fill(text).join(", ")}]`;
  const levels = [1, 2, 3, 4, 5].map(
    (level) => `a${level}: &a${level} ${tenOf(`*a${level - 1}`)}\n`,
  );
  expect(linesOf(`a0: &a0 ${tenOf("x")}\n${levels.join("")}`)).toEqual([
    'service.yaml:5:45 the alias "*a3" expands to too many values',
  ]);
});

test("a file with peculiarities that most YAML parsers accept is still read", () => {
  const text = "%EXTRA x\n---\napp: !local { name: !mine &shop Shop }\nclient: *shop\n";
  expect(linesOf(text)).toEqual([]);
});

test("an alias of a value with a variable has the variable's value", () => {
  const text = `app: { name: &name "\${SHOP}" }\nclient: *name\n`;
  expect(linesOf(text, { SHOP: "shop" })).toEqual([]);
  const needs = `needs \${SHOP}, which is not set`;
  const hint = `set the environment variable SHOP, or write a default: \${SHOP:-…}`;
  expect(linesOf(text)).toEqual([
    `service.yaml:1:20 app.name ${needs} | ${hint}`,
    `service.yaml:2:9 client ${needs} | ${hint}`,
  ]);
});

test("an empty default means no value", () => {
  const storage = `driver: s3, bucket: b, access_key_id: "\${KEY:-}", secret_access_key: "\${SECRET:-}"`;
  expect(linesOf(`uploads: { storage: { ${storage} } }\n`)).toEqual([]);
});

test.runIf(process.platform !== "win32")(
  "refuses a service.yaml that is not a regular file",
  () => {
    const pipe = appFolder({});
    execFileSync("mkfifo", [join(pipe, "service.yaml")]);
    const folder = appFolder({});
    mkdirSync(join(folder, "service.yaml"));
    const problem = {
      file: "service.yaml",
      line: 1,
      column: 1,
      message: "This is not a regular file",
      hint: "service.yaml is a regular file, or a link to one",
    };
    // A reader of the pipe gets this line instead of waiting without end.
    const writer = spawn("sh", ["-c", 'echo "" >service.yaml'], { cwd: pipe, stdio: "ignore" });
    try {
      expect(problemsOf({ root: pipe, environment: {}, databaseUrl })).toEqual([problem]);
      expect(problemsOf({ root: folder, environment: {}, databaseUrl })).toEqual([
        { ...problem, message: "This is a folder" },
      ]);
    } finally {
      writer.kill();
    }
  },
);

test("refuses a folder without service.yaml", () => {
  expect(problemsOf({ root: appFolder({}), environment: {}, databaseUrl })).toEqual([
    {
      file: "service.yaml",
      line: 1,
      column: 1,
      message: "The file is missing or cannot be read",
      hint: "run the command in the app's folder, or create an app: npx service init <dir>",
    },
  ]);
});

test("refuses a folder in place of .env, and names it", () => {
  const root = appFolder({});
  mkdirSync(join(root, ".env"));
  expect(() => readEnvironment(root)).toThrow(
    new ConfigError([
      {
        file: ".env",
        line: 1,
        column: 1,
        message: "This is a folder",
        hint: ".env is a file with a line NAME=value for each variable",
      },
    ]),
  );
});

test("refuses to start without a database", () => {
  expect(problemsOf({ root: appFolder({ "service.yaml": "" }), environment: {} })).toEqual([
    {
      file: "environment",
      line: 1,
      column: 1,
      message: "DATABASE_URL is not set",
      hint: "set it to a PostgreSQL address, or run npx service dev, which starts its own database",
    },
  ]);
});

test.each(["development", "production"])(
  "an address that needs another variable does not ask for DATABASE_URL in %s",
  (name) => {
    const root = appFolder({ "service.yaml": `database: { url: "\${MY_URL}" }\n` });
    const environment = { NODE_ENV: name, SERVICE_SECRET: "s".repeat(32) };
    const messages = problemsOf({ root, environment }).map(({ message }) => message);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of service.yaml
    expect(messages).toContain("database.url needs ${MY_URL}, which is not set");
    expect(messages).not.toContain("DATABASE_URL is not set");
  },
);

test("refuses every variable that cannot be used, with the file's mistakes", () => {
  expect(
    linesOf("ap: {}\n", {
      DATABASE_URL: "localhost",
      PORT: "http",
      SERVICE_WEB_URL: "shop.example",
      SERVICE_REGISTRATION: "on",
      SERVICE_SECRET: "short",
      SERVICE_PROXY_SECRET: "x".repeat(31),
      SERVICE_MAIL_URL: "mail.example",
      SERVICE_MAIL_FROM: "a\nb@c",
      SERVICE_BREACH_URL: "ftp://x",
      SERVICE_LOG_LEVEL: "loud",
    }),
  ).toEqual([
    'service.yaml:1:1 ap is not a setting | did you mean "app"?',
    "environment:1:1 DATABASE_URL must be an address that begins with postgres://",
    "environment:1:1 PORT must be a whole number from 0 to 65535",
    "environment:1:1 SERVICE_WEB_URL must be an absolute http or https address without credentials, a query or a fragment",
    "environment:1:1 SERVICE_PROXY_SECRET must have at least 32 bytes; generate one with `openssl rand -base64 48`",
    "environment:1:1 SERVICE_REGISTRATION must be true or false",
    "environment:1:1 SERVICE_SECRET must have at least 32 bytes; generate one with `openssl rand -base64 48`",
    "environment:1:1 SERVICE_MAIL_URL must be an address that begins with smtp:// or smtps://",
    "environment:1:1 SERVICE_MAIL_FROM must be an email address, or a name and an address: Shop <no-reply@example.com>",
    "environment:1:1 SERVICE_BREACH_URL must be an absolute http or https address without credentials, a query or a fragment",
    "environment:1:1 SERVICE_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
  ]);
});

test("the error's message has a line for each problem, its hint at the end", () => {
  const root = appFolder({ "service.yaml": "ap: {}\n" });
  expect(() => readConfig({ root, environment: { PORT: "x" }, databaseUrl })).toThrow(
    new ConfigError([
      {
        file: "service.yaml",
        line: 1,
        column: 1,
        message: "ap is not a setting",
        hint: 'did you mean "app"?',
      },
      {
        file: "environment",
        line: 1,
        column: 1,
        message: "PORT must be a whole number from 0 to 65535",
        hint: null,
      },
    ]),
  );
  expect(new ConfigError(problemsOf({ root, environment: { PORT: "x" } })).message).toBe(
    'service.yaml:1:1: ap is not a setting (did you mean "app"?)\n' +
      "environment: PORT must be a whole number from 0 to 65535",
  );
});

test.each([
  'database: { url: "mysql://x:hunter2@db" }\n',
  'database: { url: "postgres://x:hunter2@db" } hunter2\n',
  'database:\n\turl: "postgres://x:hunter2@db"\n',
  'database: { url: !hunter2tag "hunter2 }\n',
  `database: { url: "\${SECRET_URL}" }\n`,
  'mailer: { driver: smtp, url: "http://x:hunter2@mail" }\n',
  'mailer: "hunter2"\n"hunter2": [\n',
])("no message repeats a value: %j", (text) => {
  const root = appFolder({ "service.yaml": text });
  const environment = {
    SECRET_URL: "mysql://x:hunter2@db",
    DATABASE_URL: "hunter2",
    SERVICE_SECRET: "hunter2",
    SERVICE_MAIL_URL: "hunter2",
    SERVICE_WEB_URL: "https://x:hunter2@shop.example",
  };
  const problems = problemsOf({ root, environment });
  expect(problems.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(problems.filter(({ message }) => message !== ""))).not.toContain("hunter2");
});
