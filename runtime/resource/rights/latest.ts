/** A function's results by key, of which so many are kept as were used last. */
export class Latest<Value> {
  readonly #max: number;
  /** The one used last at the end. */
  readonly #kept = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  /** The value of a key, made if it is not kept. */
  get(key: string, make: () => Value): Value {
    const known = this.#kept.get(key);
    const value = known ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.#max) {
      const [oldest = ""] = this.#kept.keys();
      this.#kept.delete(oldest);
    }
    return value;
  }
}
