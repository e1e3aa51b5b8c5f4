import {
  contrast,
  contrastOf,
  hexOf,
  luminance,
  type Oklch,
  type Rgb,
  toOklch,
  toRgb,
} from "../../values/colour.js";

export type Theme = "light" | "dark";

/** All colors of a theme, by custom property. */
export type Palette = Readonly<Record<string, Rgb>>;

const white: Rgb = [1, 1, 1];

/** Lightness and chroma of the grays; their hue is that of the owner's color. */
const greys = {
  light: {
    page: [0.984, 0.003],
    surface: [1, 0],
    sunken: [0.962, 0.005],
    line: [0.912, 0.006],
    edge: [0.62, 0.014],
    text: [0.245, 0.014],
    muted: [0.475, 0.016],
  },
  dark: {
    page: [0.178, 0.006],
    surface: [0.214, 0.007],
    sunken: [0.252, 0.008],
    line: [0.315, 0.009],
    edge: [0.575, 0.012],
    text: [0.935, 0.005],
    muted: [0.735, 0.01],
  },
} as const;

const status = {
  danger: { c: 0.19, h: 25 },
  warning: { c: 0.13, h: 70 },
  success: { c: 0.13, h: 155 },
} as const;

const danger = moved({ l: 0.58, ...status.danger }, { by: -1, to: 4.6, on: [white] });

/** Chroma below which a brand color increasingly counts as gray, and tints the grays less. */
const vividChroma = 0.08;

/**
 * Derives all colors of a theme from any color of the owner: text has a contrast of at least 4.5:1, controls at least
 * 3:1.
 */
export function palette(configured: Rgb, theme: Theme): Palette {
  const brand = toOklch(configured);
  const tint = Math.min(1, brand.c / vividChroma);
  const grey = greysOf(theme, { hue: brand.h, tint });
  const grounds = [grey.page, grey.surface, grey.sunken];
  const accent = accentOf(configured, { hue: brand.h, tint });
  const raised = theme === "dark" ? grey.sunken : grey.surface;
  const ground = { theme, grounds };
  return {
    ...grey,
    raised,
    ...accent,
    "accent-edge": edgeOf(accent.accent, ground),
    ...inkOf("accent", brand, ground),
    danger,
    "on-danger": white,
    "danger-pressed": toRgb({ ...toOklch(danger), l: toOklch(danger).l - 0.05 }),
    ...inkOf("danger", status.danger, ground),
    ...inkOf("warning", status.warning, ground),
    ...inkOf("success", status.success, ground),
  };
}

/** Returns both palettes as one style sheet; the document's `color-scheme` selects one. */
export function paletteSheet(configured: Rgb): string {
  const [light, dark] = [palette(configured, "light"), palette(configured, "dark")];
  const lines = Object.entries(light).map(
    ([name, colour]) =>
      `    --${name}: light-dark(${hexOf(colour)}, ${hexOf(dark[name] ?? colour)});\n`,
  );
  // The first style sheet of a page, which defines the order of the layers of all others. It is in a layer itself, so
  // that their rules for more contrast override it.
  return `@layer tokens, base, parts, screens;\n@layer tokens {\n  :root {\n${lines.join("")}  }\n}\n`;
}

function greysOf(theme: Theme, { hue, tint }: { readonly hue: number; readonly tint: number }) {
  const grey = ([l, c]: readonly [number, number]) => toRgb({ l, c: c * tint, h: hue });
  const { page, surface, sunken, line, edge, text, muted } = greys[theme];
  return {
    page: grey(page),
    surface: grey(surface),
    sunken: grey(sunken),
    line: grey(line),
    edge: grey(edge),
    text: grey(text),
    muted: grey(muted),
  };
}

/**
 * The owner's color under white or black text. It is darkened only in the narrow range in which neither is readable.
 */
function accentOf(configured: Rgb, { hue, tint }: { readonly hue: number; readonly tint: number }) {
  const black = toRgb({ l: 0.18, c: 0.02 * tint, h: hue });
  const [accent, on] =
    contrast(configured, white) >= 4.5
      ? [configured, white]
      : contrast(configured, black) >= 4.5
        ? [configured, black]
        : [moved(toOklch(configured), { by: -1, to: 4.5, on: [white] }), white];
  const { l, ...rest } = toOklch(accent);
  // Shifts the lightness away from the text's color.
  const pressed = toRgb({ ...rest, l: clamp(l + (on === white ? -0.05 : 0.05)) });
  return { accent, "on-accent": on, "accent-pressed": pressed };
}

/** The backgrounds of a theme on which a color must be readable. */
interface Ground {
  readonly theme: Theme;
  readonly grounds: readonly Rgb[];
}

/** The border of a primary button: a yellow or navy button keeps its color and gets an outline. */
function edgeOf(accent: Rgb, { theme, grounds }: Ground): Rgb {
  if (least(accent, grounds) >= 3) return accent;
  return moved(toOklch(accent), { by: theme === "dark" ? 1 : -1, to: 3, on: grounds });
}

/** Returns a soft background of that hue, and a text color readable on it and on every gray background. */
function inkOf(
  name: string,
  { c, h }: Pick<Oklch, "c" | "h">,
  { theme, grounds }: Ground,
): Palette {
  const isDark = theme === "dark";
  const soft = toRgb(
    isDark
      ? { l: 0.282, c: Math.min(c * 0.4, 0.04), h }
      : { l: 0.962, c: Math.min(c * 0.22, 0.024), h },
  );
  const start = { l: isDark ? 0.76 : 0.52, c, h };
  const ink = moved(start, { by: isDark ? 1 : -1, to: 4.6, on: [...grounds, soft] });
  return { [`${name}-soft`]: soft, [`${name}-ink`]: ink };
}

/** Changes the lightness in steps of 0.005 until the contrast with all of `on` suffices. */
function moved(
  start: Oklch,
  { by, to, on }: { readonly by: 1 | -1; readonly to: number; readonly on: readonly Rgb[] },
): Rgb {
  const grounds = on.map(luminance);
  for (let l = start.l; l >= 0 && l <= 1; l += by * 0.005) {
    const colour = toRgb({ ...start, l });
    const own = luminance(colour);
    if (grounds.every((ground) => contrastOf(own, ground) >= to)) return colour;
  }
  return by < 0 ? [0, 0, 0] : white;
}

function least(colour: Rgb, others: readonly Rgb[]): number {
  return Math.min(...others.map((other) => contrast(colour, other)));
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
