/** The reason why a subscriber must read its list again. */
export type ResetReason = "expired" | "unknown" | "behind" | "rights" | "schema";

/** Returns the text of an event; `id` is the position after it. */
export function eventText(name: string, json: string, id: string | null = null): string {
  const end = id === null ? "" : `id: ${id}\n`;
  return `event: ${name}\ndata: ${json}\n${end}\n`;
}

/** `position` is the position that the subscriber sent, if any; `id` is for its next connection. */
export function readyText(position: string, id: string): string {
  return eventText("ready", JSON.stringify({ position }), id);
}

export function resetText(reason: ResetReason): string {
  return eventText("reset", JSON.stringify({ reason }));
}

export function endText(status: 401 | 403, error: string): string {
  return eventText("end", JSON.stringify({ status, error }));
}

/** A comment that keeps proxies from closing an idle stream. */
export const pulse = ":\n\n";

/** Adds the position after all events to the last event. */
export function withPosition(events: readonly string[], position: string): readonly string[] {
  const last = events.at(-1);
  if (last === undefined) return events;
  return [...events.slice(0, -1), `${last.slice(0, -1)}id: ${position}\n\n`];
}
