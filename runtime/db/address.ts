import pg from "pg";

/** Where a database is, as an address and PostgreSQL's own variables (`PGHOST` …) say together. */
export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Null where none is written. */
  readonly password: string | null;
}

/** Takes an address such as `postgres://user:password@host:5432/database` apart; connects to nothing. */
export function readAddress(url: string): DatabaseAddress {
  // Parameters of TLS say nothing about the place, and pg would read the files that they name.
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
