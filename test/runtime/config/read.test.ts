import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig, readEnvironment } from "../../../runtime/config/index.js";
import { appFolder, databaseUrl, problemsOf, removeFolders } from "./folder.js";

afterAll(removeFolders);

const secret = "0123456789abcdef0123456789abcdef";
const previousSecret = "fedcba9876543210fedcba9876543210";
const proxySecret = "a secret shared with the dashboard";

test("an empty file gives every default", () => {
  const root = appFolder({ "service.yaml": "" });
  const config = readConfig({ root, environment: { SERVICE_SECRET: secret }, databaseUrl });
  expect(config).toEqual({
    root,
    environment: "other",
    logLevel: "info",
    app: { name: "shop" },
    look: { name: "shop", logo: null, colour: null },
    server: {
      host: "127.0.0.1",
      port: 3000,
      workers: 1,
      corsOrigins: [],
      maxJsonBytes: 1048576,
      trustProxy: 0,
      hookTimeoutSeconds: 5,
      drainSeconds: 25,
      drainDelaySeconds: 0,
      metrics: null,
      docs: false,
      mcp: false,
    },
    limits: {
      perToken: null,
      perClient: null,
      signInPerClient: null,
      publicCreatePerClient: { count: 20, seconds: 60 },
      perTokenAtOnce: 64,
    },
    database: { url: databaseUrl, poolSize: 10, prepare: true, slowMs: 500 },
    auth: {
      enabled: true,
      registration: false,
      magicLink: true,
      emailCode: true,
      passkeys: true,
      twoFactor: { authenticator: true, email: true },
      requireEmailVerification: false,
      deleteOwnAccount: false,
      registerByEmail: false,
      checkBreachedPasswords: true,
      forbiddenPasswordWords: [],
      tokenLifetimeDays: 30,
      idleHours: null,
      notices: true,
      profiles: "signed-in",
      operators: [],
      sites: [],
      providers: [],
      returnTo: [],
      apps: null,
    },
    uploads: {
      maxBytes: 10485760,
      maxDecodeMb: 512,
      privateSeconds: 600,
      privateRedirect: false,
      resumable: null,
      storage: { driver: "disk", path: join(root, "storage") },
      profiles: {
        default: { width: 2000, height: 2000, fit: "contain", renditions: {} },
        product: {
          width: 1600,
          height: 1600,
          fit: "contain",
          renditions: { thumb: { width: 320, height: 320, fit: "contain" } },
        },
        avatar: {
          width: 400,
          height: 400,
          fit: "cover",
          renditions: { thumb: { width: 80, height: 80, fit: "cover" } },
        },
        cover: {
          width: 1600,
          height: 900,
          fit: "cover",
          renditions: { thumb: { width: 480, height: 270, fit: "cover" } },
        },
      },
    },
    mailer: { driver: "none", from: '"shop" <no-reply@localhost>' },
    jobs: { concurrency: 5 },
    changes: { days: 7, streams: 5000, streamsPerAccount: 20, streamsPerClient: 20 },
    webhooks: { allow: [] },
    webUrl: "http://localhost:3001",
    proxySecret: null,
    secret: Buffer.from(secret),
    previousSecret: null,
    breachUrl: "https://api.pwnedpasswords.com",
    warnings: [],
  });
});

test("empty sections have their defaults", () => {
  const root = appFolder({
    "service.yaml": "app:\nauth:\n  two_factor:\nuploads:\n  storage:\n  profiles:\n",
  });
  expect(problemsOf({ root, environment: {}, databaseUrl })).toEqual([]);
});

test("every setting in the file is read", () => {
  const root = appFolder({
    "service.yaml": `
app: { name: Corner Shop }
server: { host: 0.0.0.0, port: 0, workers: 4, cors_origins: ["https://a.example", "http://localhost:3001/"], max_json_bytes: 1000, trust_proxy: 2, hook_timeout_seconds: 9, drain_seconds: 0, drain_delay_seconds: 9, metrics: {}, docs: true, mcp: read }
limits: { per_token: 600/min, per_client: "20/s", sign_in_per_client: 0, public_create_per_client: 9/h, per_token_at_once: 0 }
database: { url: "postgres://db/shop", pool_size: 3, prepare: false }
auth: { enabled: false, two_factor: { email: false }, token_lifetime_days: 7, idle_hours: 12, sites: { shop: "https://Shop.example:443/", staff: "http://localhost:3001" }, forbidden_password_words: [ACME, "Ａcme Ltd"] }
uploads:
  max_bytes: 5
  resumable: { max_bytes: 7, hours: 48 }
  storage: { driver: s3, bucket: files, endpoint: "https://s3.example/", public_url: "" }
  profiles:
    avatar: { width: 64, height: 64, fit: cover }
    wide: { width: 800, height: 200, renditions: { small: { width: 80, height: 20, fit: cover } } }
mailer: { driver: smtp, url: "smtp://mail.example:587", from: "Shop <hello@shop.example>" }
`,
  });
  const config = readConfig({ root, environment: {} });
  expect(config.app.name).toBe("Corner Shop");
  expect(config.server).toEqual({
    host: "0.0.0.0",
    port: 0,
    workers: 4,
    corsOrigins: ["https://a.example", "http://localhost:3001", "https://shop.example"],
    maxJsonBytes: 1000,
    trustProxy: 2,
    hookTimeoutSeconds: 9,
    drainSeconds: 0,
    drainDelaySeconds: 9,
    metrics: { host: "127.0.0.1", port: 9090 },
    docs: true,
    mcp: "read",
  });
  expect(config.limits).toEqual({
    perToken: { count: 600, seconds: 60 },
    perClient: { count: 20, seconds: 1 },
    signInPerClient: null,
    publicCreatePerClient: { count: 9, seconds: 3600 },
    perTokenAtOnce: 0,
  });
  expect(config.database).toEqual({
    url: "postgres://db/shop",
    poolSize: 3,
    prepare: false,
    slowMs: 500,
  });
  expect(config.auth).toMatchObject({
    enabled: false,
    twoFactor: { authenticator: true, email: false },
    tokenLifetimeDays: 7,
    idleHours: 12,
    forbiddenPasswordWords: ["acme", "acme ltd"],
    notices: true,
    profiles: "signed-in",
    sites: [
      { name: "shop", url: "https://shop.example" },
      { name: "staff", url: "http://localhost:3001" },
    ],
  });
  expect(config.uploads.resumable).toEqual({
    ...{ maxBytes: 7, hours: 48, pendingBytes: 21_474_836_480 },
  });
  expect(config.uploads.storage).toEqual({
    driver: "s3",
    bucket: "files",
    region: "us-east-1",
    endpoint: "https://s3.example",
    publicUrl: null,
    accessKeyId: null,
    secretAccessKey: null,
    forcePathStyle: false,
  });
  expect(config.uploads.profiles.avatar).toEqual({
    width: 64,
    height: 64,
    fit: "cover",
    renditions: {},
  });
  expect(Object.keys(config.uploads.profiles)).toEqual([
    "default",
    "product",
    "avatar",
    "cover",
    "wide",
  ]);
  expect(config.mailer).toEqual({
    driver: "smtp",
    url: "smtp://mail.example:587",
    from: "Shop <hello@shop.example>",
  });
});

test("the configuration is deeply frozen", () => {
  const config = readConfig({
    root: appFolder({ "service.yaml": "" }),
    environment: {},
    databaseUrl,
  });
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config.uploads.profiles.avatar?.renditions.thumb)).toBe(true);
  expect(Object.isFrozen(config.server.corsOrigins)).toBe(true);
});

test("variables are replaced in values and take the type of the setting", () => {
  const root = appFolder({
    "service.yaml": `
app: { name: "\${NAME}" }
server:
  port: \${LISTEN:-8080}
  host: \${HOST_PART}.example
auth: { passkeys: "\${PASSKEYS}" }
mailer:
  from: \${FROM:-Shop <shop@example.com>}
`,
  });
  const environment = { NAME: "12", HOST_PART: "a", PASSKEYS: "false", LISTEN: "" };
  const config = readConfig({ root, environment, databaseUrl });
  expect(config.app.name).toBe("12");
  expect(config.server).toMatchObject({ port: 8080, host: "a.example" });
  expect(config.auth.passkeys).toBe(false);
  expect(config.mailer.from).toBe("Shop <shop@example.com>");
});

test("a variable's own text is neither read as YAML nor interpolated again", () => {
  const root = appFolder({ "service.yaml": `app:\n  name: \${NAME}\n` });
  const environment = { NAME: `x\nserver: { port: 1 } \${HOME}` };
  expect(readConfig({ root, environment, databaseUrl }).app.name).toBe(environment.NAME);
});

test("the environment overrides the file", () => {
  const root = appFolder({
    "service.yaml": "server: { port: 1 }\ndatabase: { url: 'postgres://file/shop' }\n",
  });
  const environment = {
    DATABASE_URL: "postgres://environment/shop",
    PORT: "0",
    SERVICE_WEB_URL: "https://shop.example/",
    SERVICE_PROXY_SECRET: proxySecret,
    SERVICE_REGISTRATION: "true",
    SERVICE_SECRET: secret,
    SERVICE_SECRET_PREVIOUS: previousSecret,
    SERVICE_MAIL_URL: "smtps://mail.example",
    SERVICE_MAIL_FROM: "shop@example.com",
    SERVICE_BREACH_URL: "http://127.0.0.1:9/",
    SERVICE_LOG_LEVEL: "debug",
    NODE_ENV: "development",
  };
  expect(readConfig({ root, environment })).toMatchObject({
    environment: "development",
    logLevel: "debug",
    server: { port: 0 },
    database: { url: "postgres://environment/shop" },
    auth: { registration: true },
    mailer: { driver: "smtp", url: "smtps://mail.example", from: "shop@example.com" },
    webUrl: "https://shop.example",
    proxySecret,
    secret: Buffer.from(secret),
    previousSecret: Buffer.from(previousSecret),
    breachUrl: "http://127.0.0.1:9",
  });
  expect(readConfig({ root, environment, databaseUrl }).database.url).toBe(databaseUrl);
});

test("an empty variable counts as unset", () => {
  const root = appFolder({ "service.yaml": "" });
  const environment = {
    PORT: "",
    SERVICE_WEB_URL: "",
    SERVICE_REGISTRATION: "",
    SERVICE_SECRET: "",
  };
  expect(readConfig({ root, environment, databaseUrl })).toMatchObject({
    server: { port: 3000 },
    webUrl: "http://localhost:3001",
  });
});

test("the process's variables override those of .env", () => {
  process.env.CONFIG_TEST_BOTH = "process";
  const root = appFolder({ ".env": 'CONFIG_TEST_BOTH=file\nCONFIG_TEST_FILE="a b"\n' });
  const environment = readEnvironment(root);
  delete process.env.CONFIG_TEST_BOTH;
  expect(environment.CONFIG_TEST_BOTH).toBe("process");
  expect(environment.CONFIG_TEST_FILE).toBe("a b");
  expect(readEnvironment(appFolder({})).CONFIG_TEST_FILE).toBeUndefined();
});

test("a given database replaces an address that cannot be used", () => {
  const root = appFolder({ "service.yaml": "database: { url: mysql://x, pool_size: 3 }\n" });
  const environment = { DATABASE_URL: "neither" };
  expect(readConfig({ root, environment, databaseUrl }).database).toMatchObject({
    url: databaseUrl,
    poolSize: 3,
  });
});
