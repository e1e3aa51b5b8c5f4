import pg from "pg";

/** Where a database is, from an address and PostgreSQL's own variables (`PGHOST` …). */
export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Null where there is none. */
  readonly password: string | null;
}

/** Parses an address such as `postgres://user:password@host:5432/database`; connects to nothing. */
export function readAddress(url: string): DatabaseAddress {
  // Parameters of TLS do not matter here, and pg would read the files that they name.
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
 * What pg is given for an address. Its own reading of `sslmode` is another than libpq's, and it prints a warning about
 * that: `require` encrypts and verifies nothing, unless `sslrootcert` names who signs.
 */
export function connectionTo(url: string): { readonly connectionString: string } {
  const connectionString = url.replace(
    /([?&])sslmode=(?:prefer|require|verify-ca)(?=[&#]|$)/,
    "$&&uselibpqcompat=true",
  );
  return { connectionString };
}

/**
 * Whether what is read as the host and the database may belong to the password. One that has `@` and later `/`,
 * neither percent-encoded, is read as if it ended at the `@`.
 */
export function isHostDoubtful(url: string): boolean {
  return url.split("@").length > 2;
}

/** Removes the host from the error of a connection that was not made, where it may be part of the password. */
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
