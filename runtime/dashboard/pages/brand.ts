import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { AppLook } from "../../config/index.js";
import { hexOf, parseColour, type Rgb } from "../../values/colour.js";
import { palette } from "./palette.js";

export interface Brand {
  readonly name: string;
  readonly colour: Rgb;
  readonly logo: { readonly bytes: Buffer; readonly ending: string } | null;
}

const usualColour: Rgb = [0x1f / 255, 0x6f / 255, 0x5c / 255];

/** Reads the logo; the configuration has checked that the file exists. */
export function brandOf({ name, colour, logo }: AppLook, root: string): Brand {
  return {
    name,
    colour: (colour === null ? null : parseColour(colour)) ?? usualColour,
    logo:
      logo === null
        ? null
        : { bytes: readFileSync(resolve(root, logo)), ending: extname(logo).toLowerCase() },
  };
}

/** Returns the icon of a dashboard without a logo: the first letter of its name on the owner's color, as SVG. */
export function letterIcon({ name, colour }: Brand): Buffer {
  const { accent = colour, "on-accent": text = colour } = palette(colour, "light");
  const [letter = ""] = [...name.toLocaleUpperCase()];
  // A numeric reference, so that a letter such as `<` is not parsed as markup.
  const sign = `&#${letter.codePointAt(0) ?? 32};`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
      `<rect width="32" height="32" rx="8" fill="${hexOf(accent)}"/>` +
      `<text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="600" ` +
      `text-anchor="middle" fill="${hexOf(text)}">${sign}</text></svg>`,
  );
}
