import type { YAMLParseError } from "yaml";
import type { Position } from "./position.js";

/**
 * A mistake in YAML; each reader of a file writes its message. `message`, `name` and `anchors` quote the text, which
 * may contain a password.
 */
export type YamlMistake = Position & YamlError;

type YamlError =
  | {
      readonly kind: "notation";
      readonly code: YAMLParseError["code"];
      /** The parser's message. */
      readonly message: string;
      /** A text with only warnings can be read. */
      readonly isWarning: boolean;
      /** From 0, in the whole text. */
      readonly offset: number;
    }
  | { readonly kind: "second document" }
  | { readonly kind: "too deep" }
  /** `alias` is the one that exceeded the limit; null without aliases. */
  | { readonly kind: "too large"; readonly alias: string | null }
  | { readonly kind: "complex key" }
  /** `first` is the line of the kept key. */
  | { readonly kind: "repeated key"; readonly name: string; readonly first: number }
  | { readonly kind: "no anchor"; readonly name: string; readonly anchors: readonly string[] }
  /** An alias inside its own anchor's value. */
  | { readonly kind: "endless alias"; readonly name: string };
