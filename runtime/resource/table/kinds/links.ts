import { z } from "zod";
import { cellWords } from "../../../values/files/cell-words.js";
import { valueRequired } from "../../../values/rules.js";
import { type IdType, idForms } from "../../../values/schema/id-types.js";
import { idKind, integerIdKind, stringIdKind } from "./id.js";
import type { Kind } from "./kind.js";
import { listAddition } from "./value/list.js";
import { alreadyThere, type ListChange, listElements, repeatedIn } from "./value/list-change.js";

const textAddition = listAddition("string");

/** An ordered list of record ids. Compared by single ids. */
export const linksKind: Kind = {
  ...idKind,
  sqlType: "uuid[]",
  comparisons: "links",
  isList: true,
  addition: textAddition,
  takesReference: true,
};

/** Lists of ids other than UUIDs, in a table of another application. */
export const integerLinksKind: Kind = linksTo(integerIdKind);
export const stringLinksKind: Kind = linksTo(stringIdKind);

function linksTo({ sqlType, cast, read, readOperand, canHold, idType }: Kind): Kind {
  return {
    ...linksKind,
    ...{ sqlType: `${sqlType}[]`, cast, read, readOperand, canHold, idType },
    addition: {
      ...textAddition,
      sum: (value, amount) => textAddition.sum(`(${value})::text[]`, amount),
    },
    shown: (value) => `${value}::text[]`,
    jsonText: (value) => `to_json(${value}::text)::text`,
  };
}

export interface LinksRules {
  readonly maxItems: number;
  /** Whether the list must have an entry. */
  readonly required?: true;
  /** The type of the ids; omitted for UUIDs. */
  readonly id?: IdType;
}

function recordIdOf(type: IdType) {
  const { isId, usual } = idForms[type];
  return z.unknown().transform((value, context): string => {
    if (typeof value === "string" && isId(value)) return usual(value);
    context.addIssue({ code: "custom", message: cellWords.recordId });
    return z.NEVER;
  });
}

/** Ids of records without duplicates; their existence is checked when they are stored. */
export function references({ maxItems, required, id = "uuid" }: LinksRules): z.ZodType<string[]> {
  const recordId = recordIdOf(id);
  const tooMany = `At most ${maxItems} records`;
  const schema = z.unknown().transform((sent, context): string[] => {
    const refuse = (message: string, ...path: readonly number[]) => {
      context.addIssue({ code: "custom", message, path: [...path] });
      return z.NEVER;
    };
    if (!Array.isArray(sent)) {
      return refuse(sent === undefined || sent === null ? valueRequired : cellWords.recordIds);
    }
    if (sent.length > maxItems) return refuse(tooMany);
    if (sent.length === 0 && required) return refuse("At least one record");
    const ids = sent.map((value: unknown, at): string => {
      const read = recordId.safeParse(value);
      return read.success ? read.data : refuse(cellWords.recordId, at);
    });
    for (const at of repeatedIn(ids)) refuse(alreadyThere, at);
    return ids;
  });
  listElements.set(schema, {
    ...{ element: recordId, isDistinct: true, isStrict: true },
    ...{ maxItems, tooMany },
  });
  return schema;
}

/** The path of an id in the value sent for a list: among the elements to add, or in the list itself. */
export function placeOf(id: string, at: number, amount: unknown): readonly (string | number)[] {
  const added = amount === undefined ? -1 : (amount as ListChange).add.indexOf(id);
  return added === -1 ? [at] : ["add", added];
}
