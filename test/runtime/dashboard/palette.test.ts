import { expect, test } from "vitest";
import { type Palette, palette, type Theme } from "../../../runtime/dashboard/pages/palette.js";
import { contrast, parseColour, type Rgb } from "../../../runtime/values/colour.js";
import { isLong } from "../../support/searches.js";

/** `npm test` tries every eleventh colour, in which each channel still takes each of its 26 values. */
const stride = isLong ? 1 : 11;

/** Each promise of the look: what it is about, the least contrast, and the contrast in a palette. */
function promises(colours: Palette): readonly (readonly [string, number, number])[] {
  const of = (name: string): Rgb => colours[name] ?? [0, 0, 0];
  const grounds = ["page", "surface", "sunken"].map(of);
  const least = (name: string, others: readonly Rgb[]) =>
    Math.min(...others.map((other) => contrast(of(name), other)));
  return [
    ["text", 7, least("text", [...grounds, of("accent-soft"), of("raised")])],
    ["muted", 4.5, least("muted", [...grounds, of("accent-soft"), of("raised")])],
    ["edge", 3, least("edge", grounds)],
    ["on-accent", 4.5, contrast(of("on-accent"), of("accent"))],
    ["on-accent, pressed", 4.5, contrast(of("on-accent"), of("accent-pressed"))],
    ["accent-edge", 3, least("accent-edge", grounds)],
    ["accent-ink", 4.5, least("accent-ink", [...grounds, of("accent-soft")])],
    ["on-danger", 4.5, contrast(of("on-danger"), of("danger"))],
    ["on-danger, pressed", 4.5, contrast(of("on-danger"), of("danger-pressed"))],
    ...["danger", "warning", "success"].map(
      (name) =>
        [`${name}-ink`, 4.5, least(`${name}-ink`, [...grounds, of(`${name}-soft`)])] as const,
    ),
  ];
}

test.each<Theme>(["light", "dark"])(
  "any of 17 576 colours gives text 4.5:1 and controls 3:1, in the %s",
  (theme) => {
    const steps = Array.from({ length: 26 }, (_, at) => Math.round((at * 255) / 25) / 255);
    const broken: string[] = [];
    for (let at = 0; at < 26 ** 3; at += stride) {
      const channel = (place: number) => steps[Math.floor(at / place) % 26] ?? 0;
      const colour: Rgb = [channel(26 * 26), channel(26), channel(1)];
      for (const [what, least, is] of promises(palette(colour, theme))) {
        if (is < least) broken.push(`${colour.join(" ")}: ${what} ${is}`);
      }
    }
    expect(broken).toEqual([]);
  },
);

test("an owner's colour is kept unchanged if text on it is readable", () => {
  const navy: Rgb = parseColour("#1f3a6f") ?? [0, 0, 0];
  expect(palette(navy, "light").accent).toEqual(navy);
  expect(palette(navy, "dark").accent).toEqual(navy);
});

test.each([
  ["#1f6f5c", true],
  ["#FFF", true],
  [" #abc ", true],
  ["1f6f5c", false],
  ["#12345", false],
  ["teal", false],
  ["#gggggg", false],
  ["", false],
])("%j is a colour: %s", (text, isColour) => {
  expect(parseColour(text) !== null).toBe(isColour);
});
