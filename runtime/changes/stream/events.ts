/** Why a reader has to list again. */
export type ResetReason = "expired" | "unknown" | "behind" | "rights" | "schema";

/** An event as it is sent; `id` is the position after it. */
export function eventText(name: string, json: string, id: string | null = null): string {
  const end = id === null ? "" : `id: ${id}\n`;
  return `event: ${name}\ndata: ${json}\n${end}\n`;
}

export function readyText(position: string): string {
  return eventText("ready", JSON.stringify({ position }), position);
}

export function resetText(reason: ResetReason): string {
  return eventText("reset", JSON.stringify({ reason }));
}

export function endText(status: 401 | 403, error: string): string {
  return eventText("end", JSON.stringify({ status, error }));
}

/** Keeps proxies from closing a quiet stream. */
export const pulse = ":\n\n";
