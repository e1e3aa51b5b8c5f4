import type { KindName } from "../api/types.js";
import { belongsTo } from "./input/belongs-to.js";
import { boolean, enumeration } from "./input/choices.js";
import type { FormKind } from "./input/form-kind.js";
import { date, timestamp } from "./input/moments.js";
import { number } from "./input/number.js";
import { string, text } from "./input/string.js";
import { file, image } from "./input/upload.js";

/** The inputs of a form by kind; the compiler requires all kinds. */
export const formKinds: Readonly<Record<KindName, FormKind>> = Object.freeze({
  string,
  text,
  number,
  boolean,
  enum: enumeration,
  date,
  timestamp,
  belongsTo,
  image,
  file,
});
