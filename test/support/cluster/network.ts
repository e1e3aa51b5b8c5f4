import { randomInt } from "node:crypto";
import { block } from "../../docs/pages.js";

/**
 * Machines of a test, all of them this one: every address below 127 is its own, so that each machine has one, and all
 * ports are those of the page.
 */
export interface Network {
  /** The address of the machine that is `10.0.0.<number>` on the page. */
  address(number: number): string;
  /** A file of the page docs/cluster, with the addresses of this network. */
  file(heading: string, place?: number): string;
}

/** The machine of the app that has HAProxy and pgbouncer on it. */
export const appMachine = 31;

export function newNetwork(): Network {
  const prefix = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`;
  const address = (number: number) => `${prefix}.${number}`;
  return {
    address,
    file: (heading, place) =>
      block("docs/cluster", heading, place)
        // Whoever connects to one of them comes from 127.0.0.1.
        .replaceAll("10.0.0.0/24", "127.0.0.0/8")
        .replaceAll("127.0.0.1", address(appMachine))
        .replace(/10\.0\.0\.(\d+)/g, (_, number) => address(Number(number))),
  };
}
