import type { YAMLParseError } from "yaml";
import type { Position } from "./position.js";

/**
 * A mistake in YAML, for which each reader of a file writes its own message. `message`, `name` and `anchors` quote the
 * text, which may contain a password.
 */
export type YamlMistake = Position & YamlError;

type YamlError =
  | {
      readonly kind: "notation";
      readonly code: YAMLParseError["code"];
      /** The parser's message. */
      readonly message: string;
      /** Whether it is only a warning, with which the text can still be read. */
      readonly isWarning: boolean;
      /** Zero-based, in the whole text. */
      readonly offset: number;
    }
  | { readonly kind: "second document" }
  | { readonly kind: "too deep" }
  /** `alias` is the one that exceeded the limit; null if there are no aliases. */
  | { readonly kind: "too large"; readonly alias: string | null }
  | { readonly kind: "complex key" }
  /** `first` is the line of the key that counts. */
  | { readonly kind: "repeated key"; readonly name: string; readonly first: number }
  | { readonly kind: "no anchor"; readonly name: string; readonly anchors: readonly string[] }
  /** An alias within the value of the anchor to which it refers. */
  | { readonly kind: "endless alias"; readonly name: string };
