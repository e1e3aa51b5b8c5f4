import { expect } from "vitest";
import { numbersIn } from "../../../runtime/dashboard/web/text/number-text.js";

/** Fails unless what a list prints of these numbers is read as the same, with and without a number of decimals. */
export function expectSameNumbers(locales: readonly string[], values: readonly number[]): void {
  const others = locales.flatMap((locale) => {
    const { read, write } = numbersIn(locale);
    const texts = (value: number) => [undefined, 2].map((decimals) => write(value, decimals));
    return values.flatMap((value) =>
      texts(value)
        .filter((text) => {
          const found = read(text);
          return found.kind !== "number" || found.value !== value;
        })
        .map((text) => `${locale}: ${value} as ${text}`),
    );
  });
  expect(others).toEqual([]);
}
