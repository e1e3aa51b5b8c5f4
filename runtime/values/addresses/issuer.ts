/** Whether a URL's host is this machine: 127.0.0.0/8, `[::1]` or `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)$/.test(hostname);
}
