import { type Conversion, reader, type StoredColumn, type TextForm } from "./conversion.js";

/** Describes the content of a number column of that SQL type, including an article. */
export function numberWords(type: string): string {
  const precision = precisionOf(type);
  if (precision === "integer") return "a whole number";
  if (precision !== "decimal") return "a number";
  const places = placesOf(type);
  return `a number with ${places} ${places === 1 ? "decimal" : "decimals"}`;
}

/** Returns the form of a number column of that SQL type. */
export function numberText(type: string): TextForm {
  const form = {
    family: "number",
    texts: null,
    write: (value: string) => `${value}::text`,
  } as const;
  if (precisionOf(type) === "integer") {
    const pattern = "-?(0|[1-9][0-9]{0,15})";
    return { ...form, pattern, maxLength: 17, read: reader(type, pattern) };
  }
  if (precisionOf(type) === "decimal") {
    const places = placesOf(type);
    const fraction = places === 0 ? "" : `([.][0-9]{1,${places}})?`;
    const pattern = `-?(0|[1-9][0-9]{0,14})${fraction}`;
    return { ...form, pattern, maxLength: 33, read: reader(type, pattern) };
  }
  const pattern = "-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]{1,3})?";
  const { value, readable } = reader(type, pattern);
  const isExact = (text: string) => `${value(text)}::numeric = ${text}::numeric`;
  return {
    ...form,
    pattern,
    maxLength: 24,
    read: {
      value,
      readable: (text) => `case when ${readable(text)} then ${isExact(text)} else false end`,
    },
  };
}

/** Converts one number column to another; null if the old column does not contain numbers. */
export function convertNumber(from: StoredColumn, to: StoredColumn): Conversion | null {
  const places = placesOf(to.type);
  const cast = (readable: Conversion["readable"]): Conversion => ({
    value: (number) => `${number}::${to.type}`,
    readable,
  });
  switch (`${precisionOf(from.type)} ${precisionOf(to.type)}`) {
    case "integer double":
      return cast(null);
    case "decimal double":
      // Numbers of more than 15 digits are too rare to require consent.
      return {
        ...cast((number) => `${number}::${to.type}::numeric = ${number}`),
        isRarelyLossy: true,
      };
    case "integer decimal":
      return { ...cast((number) => `abs(${number}) < 1e15`), isRarelyLossy: true };
    case "decimal integer":
      return cast((number) => `${number} = trunc(${number})`);
    case "double integer":
      return cast(
        (number) => `${number} = trunc(${number}) and abs(${number}) <= 9007199254740991`,
      );
    case "decimal decimal":
      if (places >= placesOf(from.type)) return cast(null);
      return cast((number) => `${number} = round(${number}, ${places})`);
    case "double decimal":
      return cast(
        (number) =>
          `abs(${number}) < 1e15 and round(${number}::numeric, ${places})::double precision = ${number}`,
      );
    default:
      return null;
  }
}

function precisionOf(type: string): "integer" | "decimal" | "double" | null {
  if (type === "bigint") return "integer";
  if (type === "double precision") return "double";
  return type.startsWith("numeric") ? "decimal" : null;
}

/** Returns the number of decimal places of `numeric(17, 2)`; 0 for any other type. */
function placesOf(type: string): number {
  return Number(/, (\d+)\)$/.exec(type)?.[1] ?? 0);
}
