import type { Buffer } from "node:buffer";
import type { ProviderSettings } from "./provider.js";

/** Something that is allowed but hardly intended, and what to do about it. */
export interface ConfigWarning {
  readonly about: "mailer" | "dashboard" | "name";
  readonly message: string;
  readonly hint: string;
}

/** Everything the operator decides, complete and frozen; `service.yaml` and environment are read once. */
export interface Config {
  /** The app's folder, absolute. */
  readonly root: string;
  readonly environment: "development" | "production" | "test" | "other";
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  readonly app: { readonly name: string };
  readonly look: AppLook;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** How many processes serve on the port. */
    readonly workers: number;
    readonly corsOrigins: readonly string[];
    /** Bytes. */
    readonly maxJsonBytes: number;
    /** How many proxies in front of the server are trusted in `X-Forwarded-For`. */
    readonly trustProxy: number;
    /** Seconds that all hooks and policies of one request may take together. */
    readonly hookTimeoutSeconds: number;
    /** Seconds that running requests, and hooks after writes, get to finish when the server stops. */
    readonly drainSeconds: number;
    /** Seconds for which a server that is to stop serves as before, but for `ready`. */
    readonly drainDelaySeconds: number;
    /** Where metrics are served; null: nowhere. */
    readonly metrics: { readonly host: string; readonly port: number } | null;
    /** Whether the reference page is there outside development too. */
    readonly docs: boolean;
    /** Whether agents have tools; `read`: only those that write nothing. */
    readonly mcp: boolean | "read";
  };
  readonly limits: {
    /** Null: none. */
    readonly perToken: RequestRate | null;
    readonly perClient: RequestRate | null;
    readonly signInPerClient: RequestRate | null;
    readonly publicCreatePerClient: RequestRate | null;
    /** 0: none. */
    readonly perTokenAtOnce: number;
  };
  readonly database: {
    readonly url: string;
    readonly poolSize: number;
    /** Milliseconds from which a statement is logged. */
    readonly slowMs: number;
    /** False behind a transaction-pooling proxy. */
    readonly prepare: boolean;
  };
  readonly auth: {
    readonly enabled: boolean;
    readonly registration: boolean;
    /** Whether a mailed link or code to sign in makes an account where the address has none. */
    readonly registerByEmail: boolean;
    readonly magicLink: boolean;
    readonly emailCode: boolean;
    readonly passkeys: boolean;
    readonly twoFactor: { readonly authenticator: boolean; readonly email: boolean };
    readonly requireEmailVerification: boolean;
    /** Whether people can delete their own account. */
    readonly deleteOwnAccount: boolean;
    readonly checkBreachedPasswords: boolean;
    /** In NFKC and without capitals. */
    readonly forbiddenPasswordWords: readonly string[];
    readonly tokenLifetimeDays: number;
    /** How long a session lasts after its last use; null: as long as any other. */
    readonly idleHours: number | null;
    /** Whether account owners get a mail about changes to their account. */
    readonly notices: boolean;
    /** Who may read other accounts' names and pictures, where records link to them. */
    readonly profiles: "signed-in" | "nobody" | readonly string[];
    /** Roles whose accounts manage all accounts over HTTP; empty: nobody, and there are no such routes. */
    readonly operators: readonly string[];
    /** Whom people may sign in with, in the order of the file; empty: nobody, and there are no such routes. */
    readonly providers: readonly ProviderSettings[];
    /** Schemes of native apps to which such a sign-in may return. */
    readonly returnTo: readonly string[];
  };
  readonly uploads: {
    readonly maxBytes: number;
    /** Memory that decoding one picture may take, in MB of 1 048 576 bytes. */
    readonly maxDecodeMb: number;
    /** Null: no upload goes on after an interruption. */
    readonly resumable: ResumableSettings | null;
    readonly storage: StorageSettings;
    /** Seconds for which the signed address of a private file is good. */
    readonly privateSeconds: number;
    /** Whether a private file is answered with a redirect to a signed address of the bucket. */
    readonly privateRedirect: boolean;
    /** The built-in profiles and the configured ones, by name. */
    readonly profiles: Readonly<Record<string, ImageProfile>>;
  };
  readonly mailer: MailerSettings;
  /** `concurrency`: how many jobs each process runs at once. */
  readonly jobs: { readonly concurrency: number };
  readonly changes: {
    /** Days for which changes are kept that no history needs. */
    readonly days: number;
    /** Streams of one process. */
    readonly streams: number;
    /** Streams of one account in a process. */
    readonly streamsPerAccount: number;
  };
  /** `allow`: addresses and ranges that webhooks may call besides those of the public internet. */
  readonly webhooks: { readonly allow: readonly string[] };
  /** The dashboard's URL, without a trailing slash; null in production where it is not set. */
  readonly webUrl: string | null;
  readonly proxySecret: string | null;
  /** At least 32 bytes; keys are derived from it. */
  readonly secret: Buffer;
  /** The previous secret, while what was made with it must still work. */
  readonly previousSecret: Buffer | null;
  readonly breachUrl: string;
  /** Things worth a line at the start, such as a mailer that sends nothing in production. */
  readonly warnings: readonly ConfigWarning[];
}

/** Uploads that go on after an interruption. */
export interface ResumableSettings {
  /** Of a file that is no picture. */
  readonly maxBytes: number;
  /** For which one stays open after its last byte. */
  readonly hours: number;
  /** Of all open uploads of an account. */
  readonly pendingBytes: number;
}

/** So many requests in so many seconds. */
export interface RequestRate {
  readonly count: number;
  readonly seconds: number;
}

/** What an app is called, and how its dashboard looks. */
export interface AppLook {
  readonly name: string;
  /** A file of the app's folder, relative to it. */
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
