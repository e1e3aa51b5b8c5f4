/** Settings by their former names, which are accepted until 0.7. */
const formerNames: readonly FormerName[] = [
  { former: ["server", "hook_seconds"], current: ["server", "hook_timeout_seconds"] },
  { former: ["jobs", "together"], current: ["jobs", "concurrency"] },
];

/** A setting that has another name now. */
export interface FormerName {
  readonly former: readonly [section: string, key: string];
  readonly current: readonly [section: string, key: string];
}

/** The settings under their current names, and which of them were written under a former one. */
export function withCurrentNames(written: unknown): {
  readonly value: unknown;
  readonly renamed: readonly FormerName[];
} {
  const renamed = formerNames.filter(({ former }) => hasSetting(written, former));
  return { value: renamed.reduce(rename, written), renamed };
}

/** Whether a setting that has another name now is written under both. */
export function isWrittenTwice(written: unknown, { former, current }: FormerName): boolean {
  return hasSetting(written, former) && hasSetting(written, current);
}

function hasSetting(settings: unknown, [section, key]: FormerName["former"]): boolean {
  return isMap(settings) && isMap(settings[section]) && Object.hasOwn(settings[section], key);
}

function rename(settings: unknown, { former, current }: FormerName): unknown {
  if (!isMap(settings)) return settings;
  const { [former[1]]: value, ...others } = mapAt(settings, former[0]);
  const without = { ...settings, [former[0]]: others };
  return { ...without, [current[0]]: { [current[1]]: value, ...mapAt(without, current[0]) } };
}

function mapAt(settings: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const section = settings[key];
  return isMap(section) ? section : {};
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
