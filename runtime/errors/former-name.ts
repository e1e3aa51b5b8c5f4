const warned = new Set<string>();

/** Warns once per process that app code uses a former name, and returns the value; a server logs the warning. */
export function underFormerName<T>(value: T, former: string, current: string): T {
  if (!warned.has(former)) {
    warned.add(former);
    process.emitWarning(`${former} is now called ${current}`, "DeprecationWarning");
  }
  return value;
}
