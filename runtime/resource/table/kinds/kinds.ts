import { isOfLists } from "../../../values/operators.js";
import { belongsToKind, integerLinkKind, stringLinkKind } from "./belongs-to.js";
import { booleanKind } from "./boolean.js";
import { dateKind } from "./date.js";
import { enumKind, openEnumKind } from "./enum.js";
import { fileKind } from "./file.js";
import { accountKind, idKind, integerIdKind, stringIdKind } from "./id.js";
import { jsonKind, plainJsonKind } from "./json.js";
import type { Kind } from "./kind.js";
import { integerLinksKind, linksKind, stringLinksKind } from "./links.js";
import {
  bigIntegerKind,
  decimalKind,
  doubleKind,
  int2Kind,
  int4Kind,
  integerKind,
  realKind,
} from "./number.js";
import { paddedKind, stringKind, uuidTextKind } from "./string.js";
import { textKind } from "./text.js";
import { fineTimeKind, timestampKind } from "./timestamp.js";
import { listKind } from "./value/list.js";

/** Every kind of column that a table can have, by its name in the emitted `table.ts`. */
const kinds = {
  id: idKind,
  integerId: integerIdKind,
  stringId: stringIdKind,
  string: stringKind,
  text: textKind,
  integer: integerKind,
  decimal: decimalKind,
  double: doubleKind,
  boolean: booleanKind,
  enum: enumKind,
  date: dateKind,
  timestamp: timestampKind,
  belongsTo: belongsToKind,
  integerLink: integerLinkKind,
  stringLink: stringLinkKind,
  links: linksKind,
  integerLinks: integerLinksKind,
  stringLinks: stringLinksKind,
  json: jsonKind,
  file: fileKind,
  account: accountKind,
  // Kinds for adopted columns, of types that the app itself does not create.
  bigInteger: bigIntegerKind,
  fineTime: fineTimeKind,
  int2: int2Kind,
  int4: int4Kind,
  openEnum: openEnumKind,
  padded: paddedKind,
  plainJson: plainJsonKind,
  real: realKind,
  uuidText: uuidTextKind,
  bigIntegerList: listKind(bigIntegerKind),
  int2List: listKind(int2Kind),
  int4List: listKind(int4Kind),
  openEnumList: listKind(openEnumKind),
  paddedList: { ...listKind(paddedKind), shown: (value: string) => `${value}::text[]` },
  uuidTextList: { ...listKind(uuidTextKind), shown: (value: string) => `${value}::text[]` },
  realList: listKind(realKind),
  stringList: listKind(stringKind),
  integerList: listKind(integerKind),
  decimalList: listKind(decimalKind),
  doubleList: listKind(doubleKind),
  enumList: listKind(enumKind),
  dateList: listKind(dateKind),
  fileList: listKind(fileKind),
} as const satisfies Readonly<Record<string, Kind>>;

export type ColumnKind = keyof typeof kinds;

export function kindOf({ kind }: { readonly kind: ColumnKind }): Kind {
  return kinds[kind];
}

/** The kind of a list's elements; null for columns without lists, and for lists of links. */
export function elementKind({ kind }: { readonly kind: ColumnKind }): ColumnKind | null {
  const isOfElements = isOfLists(kindOf({ kind }).comparisons);
  return isOfElements ? (kind.slice(0, -"List".length) as ColumnKind) : null;
}

const adoptedWords: { readonly [Kind in ColumnKind]?: string } = {
  bigInteger: "Integer",
  fineTime: "Timestamp",
  int2: "Integer",
  int4: "Integer",
  openEnum: "Enum",
  padded: "String",
  plainJson: "Json",
  real: "Double",
  uuidText: "String",
};

/** A column's kind as the first word of a sentence, such as `Text`. */
export function kindWord({ kind }: { readonly kind: ColumnKind }): string {
  if (elementKind({ kind }) !== null) return "List";
  const word = adoptedWords[kind];
  if (word !== undefined) return word;
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
