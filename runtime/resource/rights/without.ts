/** The object without the properties of these names. */
export function without<T extends object>(from: T, keys: readonly string[]): Partial<T> {
  if (keys.length === 0) return from;
  const left = Object.entries(from).filter(([key]) => !keys.includes(key));
  return Object.fromEntries(left) as Partial<T>;
}
