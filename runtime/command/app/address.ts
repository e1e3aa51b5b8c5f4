export function addressOf(host: string, port: number): string {
  const name = reachable(host);
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Returns the host to connect to for a server listening on that host; a server on all addresses is reachable locally.
 */
function reachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}
