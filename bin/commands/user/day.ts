/** `2030-01-31`, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** `2030-01-31 09:05:00`, in UTC. */
export function secondOf(time: Date): string {
  return time.toISOString().slice(0, 19).replace("T", " ");
}
