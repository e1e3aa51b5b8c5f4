import { kind, kindDefaults } from "./kind.js";
import { beginning, Words } from "./string.js";
import { prose, readProse } from "./value/prose.js";

/** Long text: the API neither filters nor sorts by it. */
export const text = kind({
  ...kindDefaults,
  cell: Words,
  filter: null,
  isSortable: false,
  asks: beginning,
  isHighlighted: true,
  isShown: false,
  form: { ...prose, input: "lines", width: () => "whole" },
  readCell: readProse(100_000),
});
