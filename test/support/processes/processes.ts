import { readdirSync, readFileSync } from "node:fs";

/** The ids of the running processes that this one has started. */
export function childrenOf(pid: number | undefined): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      const [state, parent] = stateOf(child);
      return Number(parent) === pid && state !== "Z";
    });
}

export function isRunning(pid: number): boolean {
  const [state] = stateOf(pid);
  return state !== undefined && state !== "Z";
}

/** State and parent; nothing for a process that no longer exists. */
function stateOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before them may hold anything, parentheses and spaces too.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Ids of the processes that decode pictures for this one. */
export function decodersOf(pid: number | undefined): number[] {
  return childrenOf(pid).filter((child) => commandOf(child).includes("/bundle/decoder.js"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
