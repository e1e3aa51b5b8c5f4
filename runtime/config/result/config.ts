import type { Buffer } from "node:buffer";
import type { ProviderSettings } from "./provider.js";

/** An allowed but probably unintended setting, and how to change it. */
export interface ConfigWarning {
  readonly about: "mailer" | "dashboard" | "name";
  readonly message: string;
  readonly hint: string;
}

/** The operator's configuration, complete and frozen; `service.yaml` and the environment are read once. */
export interface Config {
  /** The absolute path of the app's folder. */
  readonly root: string;
  readonly environment: "development" | "production" | "test" | "other";
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  readonly app: { readonly name: string };
  readonly look: AppLook;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** The number of processes that share the port. */
    readonly workers: number;
    readonly corsOrigins: readonly string[];
    /** Maximum size of a JSON body in bytes. */
    readonly maxJsonBytes: number;
    /** The number of trusted proxies in front of the server, for `X-Forwarded-For`. */
    readonly trustProxy: number;
    /** The timeout of all hooks and policies of one request in total, in seconds. */
    readonly hookTimeoutSeconds: number;
    /** Seconds that requests in progress and after-write hooks have to finish when the server stops. */
    readonly drainSeconds: number;
    /** Seconds for which a stopping server continues to serve requests, while `ready` already fails. */
    readonly drainDelaySeconds: number;
    /** The address at which metrics are served; null if they are not. */
    readonly metrics: { readonly host: string; readonly port: number } | null;
    /** Whether the reference page is also served outside development. */
    readonly docs: boolean;
    /** Whether agents have tools; `read`: only read-only tools. */
    readonly mcp: boolean | "read";
  };
  readonly limits: {
    /** Requests per token; null means no limit. */
    readonly perToken: RequestRate | null;
    readonly perClient: RequestRate | null;
    readonly signInPerClient: RequestRate | null;
    readonly publicCreatePerClient: RequestRate | null;
    /** Concurrent requests per token; 0 means no limit. */
    readonly perTokenAtOnce: number;
  };
  readonly database: {
    readonly url: string;
    readonly poolSize: number;
    /** Statements that take at least this number of milliseconds are logged. */
    readonly slowMs: number;
    /** Whether to use prepared statements; must be false behind a transaction-pooling proxy. */
    readonly prepare: boolean;
  };
  readonly auth: {
    readonly enabled: boolean;
    readonly registration: boolean;
    /** Whether a sign-in link or code by email creates an account if the address has none. */
    readonly registerByEmail: boolean;
    readonly magicLink: boolean;
    readonly emailCode: boolean;
    readonly passkeys: boolean;
    readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
    readonly requireEmailVerification: boolean;
    /** Whether users can delete their account. */
    readonly deleteOwnAccount: boolean;
    readonly checkBreachedPasswords: boolean;
    /** The words in NFKC and lower case. */
    readonly forbiddenPasswordWords: readonly string[];
    readonly tokenLifetimeDays: number;
    /** Hours for which a session lasts after its last use; null: no separate limit. */
    readonly idleHours: number | null;
    /** Whether account owners are emailed about changes to their account. */
    readonly notices: boolean;
    /** The callers that may read other accounts' names and pictures in linked records. */
    readonly profiles: "signed-in" | "nobody" | readonly string[];
    /** Roles whose accounts manage all accounts over HTTP; if empty, these routes do not exist. */
    readonly operators: readonly string[];
    /** The front ends besides `webUrl`; their origins are among `server.corsOrigins`. */
    readonly sites: readonly SiteSettings[];
    /** The sign-in providers, in the order of the file; if empty, their routes do not exist. */
    readonly providers: readonly ProviderSettings[];
    /** Schemes of native apps to which a provider's sign-in may return. */
    readonly returnTo: readonly string[];
    /** Apps that act for people (OAuth 2.1); null: none are allowed, and their routes do not exist. */
    readonly apps: AppSettings | null;
  };
  readonly uploads: {
    readonly maxBytes: number;
    /** Memory for decoding one picture, in MB of 1,048,576 bytes. */
    readonly maxDecodeMb: number;
    /** Null if uploads are not resumable. */
    readonly resumable: ResumableSettings | null;
    readonly storage: StorageSettings;
    /** Seconds for which the signed address of a private file is valid. */
    readonly privateSeconds: number;
    /** Whether a private file's route redirects to a signed address of the bucket. */
    readonly privateRedirect: boolean;
    /** The built-in profiles and the configured ones, by name. */
    readonly profiles: Readonly<Record<string, ImageProfile>>;
  };
  readonly mailer: MailerSettings;
  /** `concurrency`: the number of jobs that each process runs concurrently. */
  readonly jobs: { readonly concurrency: number };
  readonly changes: {
    /** Days for which changes outside histories are stored. */
    readonly days: number;
    /** Maximum number of streams per process. */
    readonly streams: number;
    /** Maximum number of streams per account in a process. */
    readonly streamsPerAccount: number;
    /** Maximum number of streams without a token per client address in a process. */
    readonly streamsPerClient: number;
  };
  /** `allow`: addresses and ranges that webhooks may call besides public ones. */
  readonly webhooks: { readonly allow: readonly string[] };
  /** The dashboard's URL, without a trailing slash; null in production if it is not set. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  /** At least 32 bytes; all keys are derived from it. */
  readonly secret: Buffer;
  /** The previous secret, for as long as values made with it must remain valid. */
  readonly previousSecret: Buffer | null;
  readonly breachUrl: string;
  /** Warnings logged at startup, such as a mailer that sends nothing in production. */
  readonly warnings: readonly ConfigWarning[];
}

export interface ResumableSettings {
  /** Maximum size in bytes of a file that is not a picture. */
  readonly maxBytes: number;
  /** Hours for which an upload stays open after its last byte. */
  readonly hours: number;
  /** Maximum total size in bytes of all open uploads of an account. */
  readonly pendingBytes: number;
}

/** A front end of the app, in addition to the one at `webUrl`. */
export interface SiteSettings {
  readonly name: string;
  readonly url: string;
}

/** The apps that people may connect to their accounts, and for how long. */
export interface AppSettings {
  /** Allowed hosts of client ids. */
  readonly allow: "any" | readonly string[];
  readonly accessMinutes: number;
  readonly refreshDays: number;
}

export interface RequestRate {
  readonly count: number;
  readonly seconds: number;
}

/** An app's name, and its dashboard's look. */
export interface AppLook {
  readonly name: string;
  /** The path of a file, relative to the app's folder. */
  readonly logo: string | null;
  /** `#rgb` or `#rrggbb`. */
  readonly colour: string | null;
}

export type StorageSettings =
  | { readonly driver: "disk"; readonly path: string }
  | {
      readonly driver: "s3";
      readonly bucket: string;
      readonly region: string;
      readonly endpoint: string | null;
      readonly publicUrl: string | null;
      readonly accessKeyId: string | null;
      readonly secretAccessKey: string | null;
      readonly forcePathStyle: boolean;
    };

export type MailerSettings =
  | { readonly driver: "none"; readonly from: string }
  | { readonly driver: "smtp"; readonly from: string; readonly url: string };

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  readonly fit: "cover" | "contain";
}
export interface ImageProfile extends ImageSize {
  readonly renditions: Readonly<Record<string, ImageSize>>;
}
