const warned = new Set<string>();

/** Warns once per process that app code uses a former name; a server logs the warning. */
export function warnOfFormerName(former: string, current: string): void {
  if (warned.has(former)) return;
  warned.add(former);
  process.emitWarning(`${former} is now called ${current}`, "DeprecationWarning");
}
