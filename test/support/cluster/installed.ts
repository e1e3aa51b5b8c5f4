import { existsSync } from "node:fs";
import { hasSwift } from "../storage/s3.js";

/** Debian's packages that the cluster consists of, by a file of each. */
const packages: Readonly<Record<string, string>> = {
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres",
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  "nginx-light": "/usr/sbin/nginx",
};

/** The packages that this machine lacks. */
export function missingPackages(): readonly string[] {
  const missing = Object.entries(packages)
    .filter(([, path]) => !existsSync(path))
    .map(([name]) => name);
  return hasSwift ? missing : [...missing, "python3-swift"];
}
