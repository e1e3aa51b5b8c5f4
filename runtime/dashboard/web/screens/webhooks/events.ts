/** The possible events of a resource's records. */
export const actions = ["created", "updated", "deleted"] as const;

/** Expands event names: `products.*` becomes all three events of the resource. */
export function eventsIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) =>
      name.endsWith(".*") ? actions.map((action) => `${name.slice(0, -1)}${action}`) : [name],
    ),
  );
}

/** The shortest names of these events by resource; those of other resources stay unchanged. */
export function namesOf(
  events: ReadonlySet<string>,
  resources: readonly string[],
): readonly string[] {
  const known = resources.flatMap((resource) => {
    const chosen = actions.filter((action) => events.has(`${resource}.${action}`));
    return chosen.length === actions.length
      ? [`${resource}.*`]
      : chosen.map((action) => `${resource}.${action}`);
  });
  const isOther = (event: string) =>
    !resources.some((resource) => event.startsWith(`${resource}.`));
  return [...known, ...[...events].filter(isOther)];
}
