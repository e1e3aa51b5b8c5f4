/** Maximum number of cached texts: clients determine the form of some statements. */
const maxTexts = 500;

/**
 * Caches a value per statement text. A text derived from another is thus always the same string object: the caches of
 * prepared statements are keyed by it, and hash it.
 */
export function byText<Value>(): (text: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  return (text, make) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make();
    if (known.size === maxTexts) known.clear();
    known.set(text, value);
    return value;
  };
}
