/** A cache that keeps the most recently used keys, up to a maximum. */
export class Latest<Value> {
  readonly #max: number;
  /** In order of last use, the latest at the end. */
  readonly #kept = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns the value of a key; `make` creates it if it is not cached. */
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
