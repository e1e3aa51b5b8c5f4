import pluralize from "pluralize";
import type { Options } from "../../../../generator/kind/kind.js";
import { kinds } from "../../../../generator/kind/kinds.js";
import { didYouMean } from "../../../../runtime/values/nearest.js";
import { listWords, listWordsBriefly } from "../../../../runtime/values/text.js";

/** A field as given on the command line: `price:number:2!`. */
export interface WrittenField {
  readonly name: string;
  /** In the order in which a descriptor lists them. */
  readonly options: Options;
}

export interface ArgumentMistake {
  readonly message: string;
  readonly hint: string;
}

/**
 * Parses `field:[list:]kind[:option][!]`; the name of one of the `targets` in place of a kind makes a link. The
 * generator validates the field's name and the option's value.
 */
export function readFieldArgument(
  argument: string,
  targets: readonly string[],
): WrittenField | ArgumentMistake {
  const required = argument.endsWith("!") ? { required: true } : {};
  const [name = "", ...words] = argument.replace(/!$/, "").split(":");
  const isList = words[0] === "list" && words.length > 1;
  const [word = "", ...rest] = isList ? words.slice(1) : words;
  const option = rest.length === 0 ? null : rest.join(":");
  if (name === "" || word === "") {
    return { message: "a field needs a name and a kind", hint: "write name:string, for example" };
  }
  const target = option ?? "categories";
  if (word === "belongsTo") {
    const hint = `write the name of the resource instead: ${name}:${target}`;
    return { message: "a link is written with the name of its target resource", hint };
  }
  if (word === "links") {
    const hint = `write list and the name of the resource instead: ${name}:list:${target}`;
    return { message: "a list of links is written with the name of its target resource", hint };
  }
  if (kinds.some((kind) => kind.name === word)) {
    const read = readOption(word, option, name);
    if ("message" in read) return read;
    const { values, ...others } = read.own;
    const first = values === undefined ? {} : { values };
    const list = isList ? { list: true } : {};
    return { name, options: { type: word, ...first, ...required, ...list, ...others } };
  }
  if (!targets.includes(word)) return unknownWord(word, targets);
  if (option !== null) {
    return {
      message: "a link takes no option",
      hint: `write ${name}:${isList ? "list:" : ""}${word}`,
    };
  }
  if (isList) {
    const links = name.endsWith("Ids") ? name : `${pluralize.singular(name)}Ids`;
    return { name: links, options: { type: "links", resource: word, ...required } };
  }
  const link = name.endsWith("Id") ? name : `${name}Id`;
  return { name: link, options: { type: "belongsTo", resource: word, ...required } };
}

/** The option of a kind as a descriptor writes it. */
function readOption(
  kind: string,
  option: string | null,
  name: string,
): { readonly own: Options } | ArgumentMistake {
  if (option === "") {
    return { message: "there is nothing after the last colon", hint: `write ${name}:${kind}` };
  }
  switch (kind) {
    case "string":
    case "text":
      return readNumber(option, (maxLength) => ({ maxLength })) ?? notWhole("length", name, kind);
    case "number":
      return readNumber(option, precision) ?? notWhole("number of decimal places", name, kind);
    case "enum":
      if (option !== null) return { own: { values: option.split(",") } };
      return { message: "an enum needs its values", hint: `write ${name}:enum:draft,live` };
    default:
      if (option === null) return { own: {} };
      return { message: `"${kind}" takes no option`, hint: `write ${name}:${kind}` };
  }
}

function precision(places: number): Options {
  return places === 0 ? { integer: true } : { decimals: places };
}

/** Null if the option is not an integer. */
function readNumber(option: string | null, of: (number: number) => Options) {
  if (option === null) return { own: {} };
  return /^\d{1,15}$/.test(option) ? { own: of(Number(option)) } : null;
}

function notWhole(what: string, name: string, kind: string): ArgumentMistake {
  const example = kind === "number" ? `${name}:number:2` : `${name}:${kind}:120`;
  return { message: `the ${what} must be a whole number`, hint: `write ${example}, for example` };
}

function unknownWord(word: string, targets: readonly string[]): ArgumentMistake {
  const names = kinds
    .map((kind) => kind.name)
    .filter((kind) => !["belongsTo", "links"].includes(kind));
  const meant = kinds.find(({ otherNames }) => Object.hasOwn(otherNames, word.toLowerCase()))?.name;
  const hint =
    (meant === undefined ? null : `did you mean "${meant}"?`) ??
    didYouMean(word, [...names, ...targets]) ??
    `the kinds are ${listWords(names)}; the resources are ${listWordsBriefly(targets)}`;
  return { message: `"${word}" is neither a kind of field nor a resource`, hint };
}
