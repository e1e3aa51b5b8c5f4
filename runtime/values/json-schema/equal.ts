/** Returns the same text for equal JSON values, regardless of the order of keys. */
export function canonical(value: unknown): string {
  if (typeof value === "number") return String(value === 0 ? 0 : value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`,
  );
  return `{${members.sort().join(",")}}`;
}
