import type { YAMLParseError } from "yaml";
import type { Position } from "./position.js";

/**
 * What is wrong with a text as YAML. Each reader of a file has its own words for it. `message`, `name` and
 * `anchors` quote the text, which may hold a password.
 */
export type YamlMistake = Position & YamlError;

type YamlError =
  | {
      readonly kind: "notation";
      readonly code: YAMLParseError["code"];
      /** In the parser's words. */
      readonly message: string;
      /** A text with warnings only can be read. */
      readonly isWarning: boolean;
      /** From 0, in the whole text. */
      readonly offset: number;
    }
  | { readonly kind: "second document" }
  | { readonly kind: "too deep" }
  /** `alias` is the one that produced the excess; null where everything is written out. */
  | { readonly kind: "too large"; readonly alias: string | null }
  | { readonly kind: "complex key" }
  /** `first` is the line of the key that is kept. */
  | { readonly kind: "repeated key"; readonly name: string; readonly first: number }
  | { readonly kind: "no anchor"; readonly name: string; readonly anchors: readonly string[] }
  /** An alias inside the value that it stands for. */
  | { readonly kind: "endless alias"; readonly name: string };
