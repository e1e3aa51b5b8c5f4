import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Account, giveTo } from "../../../bin/embedded/account.js";
import { childrenOf } from "../processes/processes.js";
import type { Network } from "./network.js";
import { type Program, startProgram } from "./program.js";

/** A machine with PostgreSQL under Patroni. */
export interface Node {
  readonly name: string;
  /** Of the machine: `127.…`. */
  readonly address: string;
  start(): void;
  /** Its role according to Patroni: `primary`, `replica`, …; null if Patroni does not answer. */
  status(): Promise<NodeStatus | null>;
  /** Kills Patroni and PostgreSQL at once, like a power cut. */
  crash(): Promise<void>;
  /** Kills Patroni only: PostgreSQL continues in its role. */
  crashPatroni(): Promise<void>;
  /** In order. */
  stop(): Promise<void>;
}

export interface NodeStatus {
  readonly role: string;
  readonly state: string;
  readonly sync: boolean;
}

interface NodeOptions {
  readonly network: Network;
  readonly folder: string;
  readonly account: Account;
  readonly number: 1 | 2;
  readonly etcd: string;
}

export function newNode({ network, folder, account, number, etcd }: NodeOptions): Node {
  const name = `db${number}`;
  const address = network.address(number);
  const data = join(folder, name);
  const file = join(folder, `${name}.yaml`);
  const text = network
    .file("PostgreSQL under Patroni")
    .replace(/hosts: .*/, `hosts: ${etcd}`)
    .replace(/data_dir: .*/, `data_dir: ${data}`)
    .replaceAll(`${network.address(1)}:`, `${address}:`)
    .replace("name: db1", `name: ${name}`);
  // Where its socket is by default only one account may write.
  const socket = join(folder, `${name}-socket`);
  mkdirSync(socket);
  writeFileSync(file, `${text}  parameters: { unix_socket_directories: '${socket}' }\n`);
  giveTo(account, socket);

  let patroni: Program | null = null;

  async function status(): Promise<NodeStatus | null> {
    try {
      const signal = AbortSignal.timeout(3_000);
      const answer = await fetch(`http://${address}:8008/patroni`, { signal });
      const said = (await answer.json()) as Record<string, unknown>;
      const { role, state } = said;
      return { role: String(role), state: String(state), sync: said.sync_standby === true };
    } catch {
      return null;
    }
  }

  async function crashPatroni(): Promise<void> {
    await patroni?.end("SIGKILL");
    patroni = null;
  }

  return {
    name,
    address,
    start: () => {
      const log = join(folder, `${name}.log`);
      patroni = startProgram({ command: ["/usr/bin/patroni", file], account, log });
    },
    status,
    crashPatroni,
    crash: async () => {
      // Patroni would write down in etcd that PostgreSQL is gone.
      await crashPatroni();
      killPostgres(data);
    },
    stop: async () => {
      await patroni?.end("SIGTERM");
      patroni = null;
      killPostgres(data);
    },
  };
}

/** All of its processes, the first one first. */
function killPostgres(data: string): void {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const first = Number(readFileSync(file, "utf8").split("\n")[0]);
  for (const pid of [first, ...childrenOf(first)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}
