import { kind } from "./kind.js";
import { beginning, Words } from "./string.js";
import { plain } from "./value/blank.js";

/** Long text: the API neither filters nor sorts by it. */
export const text = kind({
  cell: Words,
  print: (_, value) => plain(value),
  filter: null,
  isSortable: false,
  isAtEnd: false,
  isPicture: false,
  asks: beginning,
  isShown: false,
});
