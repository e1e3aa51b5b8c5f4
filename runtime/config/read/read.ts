import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import { freezeDeep } from "../../values/freeze.js";
import { developmentSecret } from "../environment/secret.js";
import type { FormerName } from "../file/former.js";
import type {
  Config,
  ConfigWarning,
  MailerSettings,
  RequestRate,
  StorageSettings,
} from "../result/config.js";
import { ConfigError } from "../result/problem.js";
import { builtInProfiles } from "../result/profiles.js";
import type { Settings } from "../shape/shape.js";
import { lookOf } from "./look.js";
import { noDatabase, productionWarnings } from "./production.js";
import { providersOf } from "./providers.js";
import { type ConfigSource, readSources, type Sources } from "./sources.js";

/**
 * Returns the complete configuration, frozen. Throws a `ConfigError` with every problem of the file and the
 * environment. Outside production, it creates the app's secret if there is none.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of settings
export function readConfig(source: ConfigSource): Config {
  const { root } = source;
  const sources = readSources(source);
  const { settings, variables, renamed } = sources;
  const { server, database, uploads } = settings;
  const { url } = database;
  if (url === "") throw new ConfigError([noDatabase]);

  return freezeDeep<Config>({
    root: resolve(root),
    environment: environmentName(variables.NODE_ENV),
    logLevel: variables.SERVICE_LOG_LEVEL,
    app: { name: lookOf(settings.app, root).name },
    look: lookOf(settings.app, root),
    server: {
      host: server.host,
      port: server.port,
      workers: server.workers,
      corsOrigins: corsOriginsOf(settings),
      maxJsonBytes: server.max_json_bytes,
      trustProxy: server.trust_proxy,
      hookTimeoutSeconds: server.hook_timeout_seconds,
      drainSeconds: server.drain_seconds,
      drainDelaySeconds: server.drain_delay_seconds,
      metrics: server.metrics ?? null,
      docs: server.docs,
      mcp: server.mcp,
    },
    limits: limitsOf(settings),
    database: {
      url,
      poolSize: database.pool_size,
      slowMs: database.slow_ms,
      prepare: database.prepare,
    },
    auth: authOf(sources),
    uploads: {
      maxBytes: uploads.max_bytes,
      maxDecodeMb: uploads.max_decode_mb,
      resumable: resumableOf(settings),
      storage: storageOf(settings, root),
      privateSeconds: uploads.private_seconds,
      privateRedirect: uploads.private_redirect,
      profiles: { ...builtInProfiles, ...uploads.profiles },
    },
    mailer: mailerOf(sources, root),
    jobs: { concurrency: settings.jobs.concurrency },
    changes: {
      days: settings.changes.days,
      streams: settings.changes.streams,
      streamsPerAccount: settings.changes.streams_per_account,
      streamsPerClient: settings.changes.streams_per_client,
    },
    webhooks: { allow: settings.webhooks.allow },
    webUrl: variables.SERVICE_WEB_URL ?? defaultWebUrl(variables.NODE_ENV),
    proxySecret: variables.SERVICE_PROXY_SECRET ?? null,
    secret:
      variables.SERVICE_SECRET === undefined
        ? developmentSecret(root)
        : Buffer.from(variables.SERVICE_SECRET),
    previousSecret:
      variables.SERVICE_SECRET_PREVIOUS === undefined
        ? null
        : Buffer.from(variables.SERVICE_SECRET_PREVIOUS),
    breachUrl: variables.SERVICE_BREACH_URL,
    warnings: [
      ...renamed.map(renamedWarning),
      ...(variables.NODE_ENV === "production" ? productionWarnings(settings, variables) : []),
    ],
  });
}

function renamedWarning({ section, former, current }: FormerName): ConfigWarning {
  return {
    about: "name",
    message: `${section}.${former} is now called ${section}.${current}`,
    hint: "rename it in service.yaml: the former name is accepted until 0.7",
  };
}

function environmentName(name: string | undefined): Config["environment"] {
  return name === "development" || name === "production" || name === "test" ? name : "other";
}

/** The default address of `service dashboard`; production requires an explicit setting. */
function defaultWebUrl(environment: string | undefined): string | null {
  return environment === "production" ? null : "http://localhost:3001";
}

function limitsOf({ limits }: Settings): Config["limits"] {
  return {
    perToken: rateOf(limits.per_token),
    perClient: rateOf(limits.per_client),
    signInPerClient: rateOf(limits.sign_in_per_client),
    publicCreatePerClient: rateOf(limits.public_create_per_client),
    perTokenAtOnce: limits.per_token_at_once,
  };
}

const seconds: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600 };

function rateOf(written: 0 | string): RequestRate | null {
  const [count = "0", unit = ""] = String(written).split("/");
  return count === "0" ? null : { count: Number(count), seconds: seconds[unit] ?? 1 };
}

function authOf({ settings: { auth }, keysAt }: Sources): Config["auth"] {
  return {
    enabled: auth.enabled,
    registration: auth.registration,
    registerByEmail: auth.register_by_email,
    magicLink: auth.magic_link,
    emailCode: auth.email_code,
    passkeys: auth.passkeys,
    twoFactor: auth.two_factor,
    requireEmailVerification: auth.require_email_verification,
    deleteOwnAccount: auth.delete_own_account,
    checkBreachedPasswords: auth.check_breached_passwords,
    forbiddenPasswordWords: auth.forbidden_password_words,
    tokenLifetimeDays: auth.token_lifetime_days,
    idleHours: auth.idle_hours === 0 ? null : auth.idle_hours,
    notices: auth.notices,
    profiles: auth.profiles,
    operators: auth.operators,
    sites: Object.entries(auth.sites).map(([name, url]) => ({ name, url })),
    providers: providersOf(auth, keysAt),
    returnTo: auth.return_to,
    apps: appsOf(auth),
  };
}

/** The allowed CORS origins, including the sites, whose pages call the API. */
function corsOriginsOf({ server, auth }: Settings): readonly string[] {
  return [...new Set([...server.cors_origins, ...Object.values(auth.sites)])];
}

function resumableOf({ uploads: { resumable } }: Settings): Config["uploads"]["resumable"] {
  if (resumable === undefined) return null;
  const { max_bytes: maxBytes, hours, pending_bytes: pendingBytes } = resumable;
  return { maxBytes, hours, pendingBytes };
}

function appsOf({ apps }: Settings["auth"]): Config["auth"]["apps"] {
  if (apps === undefined) return null;
  const { allow, access_minutes: accessMinutes, refresh_days: refreshDays } = apps;
  return { allow, accessMinutes, refreshDays };
}

function storageOf({ uploads: { storage } }: Settings, root: string): StorageSettings {
  if (storage.driver === "disk") return { driver: "disk", path: resolve(root, storage.path) };
  return {
    driver: "s3",
    bucket: storage.bucket,
    region: storage.region,
    endpoint: storage.endpoint,
    publicUrl: storage.public_url,
    accessKeyId: storage.access_key_id,
    secretAccessKey: storage.secret_access_key,
    forcePathStyle: storage.force_path_style,
  };
}

function mailerOf({ settings, variables }: Sources, root: string): MailerSettings {
  const { driver, url } = settings.mailer;
  const from =
    settings.mailer.from ??
    defaultSender(lookOf(settings.app, root).name, variables.SERVICE_WEB_URL);
  return driver === "smtp" && url !== undefined ? { driver, from, url } : { driver: "none", from };
}

/**
 * The default sender of emails: the app's name, with an address at the dashboard's host. A quoted name may contain
 * anything but quotes and backslashes.
 */
function defaultSender(name: string, webUrl: string | undefined): string {
  const host = webUrl === undefined ? "localhost" : new URL(webUrl).hostname;
  return `"${name.replaceAll(/["\\\p{Cc}<>]/gu, "")}" <no-reply@${host}>`;
}
