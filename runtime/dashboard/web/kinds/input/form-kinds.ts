import type { KindName } from "../../api/client/types.js";
import { belongsTo } from "./belongs-to.js";
import { boolean, enumeration } from "./choices.js";
import { date, timestamp } from "./date-time.js";
import type { FormKind } from "./form-kind.js";
import { number } from "./number.js";
import { string, text } from "./string.js";
import { file, image } from "./upload.js";

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
