import type { Buffer } from "node:buffer";
import type { ProviderSettings } from "./provider.js";

/** An allowed but probably unintended setting, and how to change it. */
export interface ConfigWarning {
  readonly about: "mailer" | "dashboard" | "name";
  readonly message: string;
  readonly hint: string;
}

/** The operator's configuration, complete and frozen; `service.yaml` and environment are read once. */
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
    /** Bytes. */
    readonly maxJsonBytes: number;
    /** The number of trusted proxies in front of the server, for `X-Forwarded-For`. */
    readonly trustProxy: number;
    /** The timeout of all hooks and policies of one request together, in seconds. */
    readonly hookTimeoutSeconds: number;
    /** Seconds that running requests and after-write hooks have to finish when the server stops. */
    readonly drainSeconds: number;
    /** Seconds for which a stopping server continues to serve, while `ready` already fails. */
    readonly drainDelaySeconds: number;
    /** The address of the metrics; null: not served. */
    readonly metrics: { readonly host: string; readonly port: number } | null;
    /** Whether the reference page is also served outside development. */
    readonly docs: boolean;
    /** Whether agents have tools; `read`: only tools that write nothing. */
    readonly mcp: boolean | "read";
  };
  readonly limits: {
    /** Null: no limit. */
    readonly perToken: RequestRate | null;
    readonly perClient: RequestRate | null;
    readonly signInPerClient: RequestRate | null;
    readonly publicCreatePerClient: RequestRate | null;
    /** 0: no limit. */
    readonly perTokenAtOnce: number;
  };
  readonly database: {
    readonly url: string;
    readonly poolSize: number;
    /** Statements that take at least this number of milliseconds are logged. */
    readonly slowMs: number;
    /** False behind a transaction-pooling proxy. */
    readonly prepare: boolean;
  };
  readonly auth: {
    readonly enabled: boolean;
    readonly registration: boolean;
    /** Whether a mailed sign-in link or code creates an account if the address has none. */
    readonly registerByEmail: boolean;
    readonly magicLink: boolean;
    readonly emailCode: boolean;
    readonly passkeys: boolean;
    readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
    readonly requireEmailVerification: boolean;
    /** Whether users can delete their account. */
    readonly deleteOwnAccount: boolean;
    readonly checkBreachedPasswords: boolean;
    /** In NFKC and lower case. */
    readonly forbiddenPasswordWords: readonly string[];
    readonly tokenLifetimeDays: number;
    /** How long a session lasts after its last use; null: no separate limit. */
    readonly idleHours: number | null;
    /** Whether account owners are mailed about changes to their account. */
    readonly notices: boolean;
    /** Who may read other accounts' names and pictures in linked records. */
    readonly profiles: "signed-in" | "nobody" | readonly string[];
    /** Roles whose accounts manage all accounts over HTTP; empty: no such routes. */
    readonly operators: readonly string[];
    /** The front ends besides `webUrl`; their origins are among `server.corsOrigins`. */
    readonly sites: readonly SiteSettings[];
    /** The sign-in providers, in the order of the file; empty: no such routes. */
    readonly providers: readonly ProviderSettings[];
    /** Schemes of native apps that a provider's sign-in may return to. */
    readonly returnTo: readonly string[];
    /** Apps that act for people (OAuth 2.1); null: none, and there are no such routes. */
    readonly apps: AppSettings | null;
  };
  readonly uploads: {
    readonly maxBytes: number;
    /** Memory for decoding one picture, in MB of 1,048,576 bytes. */
    readonly maxDecodeMb: number;
    /** Null: uploads are not resumable. */
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
  /** `concurrency`: the number of jobs that each process runs at once. */
  readonly jobs: { readonly concurrency: number };
  readonly changes: {
    /** Days for which changes are kept that no history needs. */
    readonly days: number;
    /** The most streams of one process. */
    readonly streams: number;
    /** The most streams of one account in a process. */
    readonly streamsPerAccount: number;
    /** The most streams without a token from one address in a process. */
    readonly streamsPerClient: number;
  };
  /** `allow`: addresses and ranges that webhooks may call besides public ones. */
  readonly webhooks: { readonly allow: readonly string[] };
  /** The dashboard's URL, without a trailing slash; null in production if it is not set. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  /** At least 32 bytes; keys are derived from it. */
  readonly secret: Buffer;
  /** The previous secret, while values made with it must remain valid. */
  readonly previousSecret: Buffer | null;
  readonly breachUrl: string;
  /** Warnings logged at startup, such as a mailer that sends nothing in production. */
  readonly warnings: readonly ConfigWarning[];
}

/** Resumable uploads. */
export interface ResumableSettings {
  /** The limit of a file that is not a picture. */
  readonly maxBytes: number;
  /** How long an upload stays open after its last byte. */
  readonly hours: number;
  /** The limit of all open uploads of an account. */
  readonly pendingBytes: number;
}

/** A front end of the app, besides the one at `webUrl`. */
export interface SiteSettings {
  readonly name: string;
  /** The site's origin. */
  readonly url: string;
}

/** Which apps people may connect to their account, and for how long. */
export interface AppSettings {
  /** Hosts of client ids. */
  readonly allow: "any" | readonly string[];
  readonly accessMinutes: number;
  readonly refreshDays: number;
}

/** A number of requests in a number of seconds. */
export interface RequestRate {
  readonly count: number;
  readonly seconds: number;
}

/** An app's name, and its dashboard's look. */
export interface AppLook {
  readonly name: string;
  /** A file, relative to the app's folder. */
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
