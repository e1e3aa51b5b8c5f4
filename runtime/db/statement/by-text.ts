/** How many texts are remembered: clients choose the form of some statements. */
const maxTexts = 500;

/**
 * What is made of a statement's text, once. So a text that is made of another is one string object: the caches of prepared
 * statements are keyed by it, and hash it.
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
