import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { AppLook } from "../config/index.js";
import { parseColour, type Rgb } from "../values/colour.js";

/** The owner's name, logo and colours of a dashboard. */
export interface Brand {
  readonly name: string;
  readonly colour: Rgb;
  readonly logo: { readonly bytes: Buffer; readonly ending: string } | null;
}

/** The colour of a dashboard whose owner has not chosen one. */
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
