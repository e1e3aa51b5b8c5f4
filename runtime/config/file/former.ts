export interface FormerName {
  readonly section: string;
  readonly former: string;
  readonly current: string;
}

/** The former names of settings, accepted until 0.7. */
const formerNames: readonly FormerName[] = [
  { section: "server", former: "hook_seconds", current: "hook_timeout_seconds" },
  { section: "jobs", former: "together", current: "concurrency" },
];

/** Returns the settings under their current names, and those written under a former one. */
export function withCurrentNames(written: unknown): {
  readonly value: unknown;
  readonly renamed: readonly FormerName[];
} {
  const renamed = formerNames.filter(({ section, former }) => hasSetting(written, section, former));
  return { value: renamed.reduce(rename, written), renamed };
}

/** Whether a setting is written under both its former and its current name. */
export function isWrittenTwice(written: unknown, { section, current }: FormerName): boolean {
  return hasSetting(written, section, current);
}

function hasSetting(settings: unknown, section: string, key: string): boolean {
  return isMap(settings) && isMap(settings[section]) && Object.hasOwn(settings[section], key);
}

function rename(settings: unknown, { section, former, current }: FormerName): unknown {
  if (!isMap(settings) || !isMap(settings[section])) return settings;
  const { [former]: value, ...others } = settings[section];
  return { ...settings, [section]: { [current]: value, ...others } };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
