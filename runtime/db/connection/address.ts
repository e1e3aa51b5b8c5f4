import pg from "pg";

/** The location of a database, from a URL and PostgreSQL's own variables (`PGHOST` …). */
export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Null if the URL has no password. */
  readonly password: string | null;
}

/** Parses a URL such as `postgres://user:password@host:5432/database`, without connecting. */
export function readAddress(url: string): DatabaseAddress {
  // TLS parameters do not matter here, and pg would read the files that they name.
  const connectionString = url.replace(/([?&])ssl\w*=[^&#]*/g, "$1");
  const { host, port, user, database, password } = new pg.Client({ connectionString });
  return {
    host,
    port,
    user: user ?? "",
    database: database ?? user ?? "",
    password: typeof password === "string" && password !== "" ? password : null,
  };
}

/**
 * The connection options of pg for a URL. pg reads `sslmode` differently from libpq, and prints a warning about it:
 * here `require` encrypts without verifying anything, unless `sslrootcert` names the authority.
 */
export function connectionTo(url: string): { readonly connectionString: string } {
  const connectionString = url.replace(
    /([?&])sslmode=(?:prefer|require|verify-ca)(?=[&#]|$)/,
    "$&&uselibpqcompat=true",
  );
  return { connectionString };
}

/**
 * Whether the parsed host and database may be part of the password: the parser ends a password with an unescaped `@`
 * and a later `/` at the `@`.
 */
export function isHostDoubtful(url: string): boolean {
  return url.split("@").length > 2;
}

/** Removes the host from the error of a failed connection if it may be part of the password. */
export function withoutDoubtfulHost(error: unknown, url: string): unknown {
  if (!(error instanceof Error) || !isHostDoubtful(url)) return error;
  const host = Reflect.get(error, "hostname");
  if (typeof host !== "string" || host === "") return error;
  const hide = (text: string) => text.replaceAll(host, hiddenHost);
  error.message = hide(error.message);
  error.stack = hide(error.stack ?? "");
  return Object.assign(error, { hostname: null });
}

const hiddenHost = "(the host is not shown, as the address has more than one @)";
