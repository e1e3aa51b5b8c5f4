import { useMemo } from "react";
import type { Field } from "../../../api/client/types.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Choice } from "../../../parts/form/choice.js";
import { enImport } from "../../../text/en/import.js";
import { numbersInFile } from "../../../text/file-numbers.js";
import type { Table } from "../csv.js";
import type { Target } from "../mapping.js";
import type { FileNotation } from "./notation.js";

const text = enImport;
/** Maximum number of a column's words that are listed. */
const mostWords = 20;
/** The choice that leaves a word unchanged; no enum value is empty. */
const asItIs = "";
/** The choice for a word that means null; no enum value can contain this character. */
const nothing = "\u0000";

interface WordsProps {
  readonly table: Table;
  readonly name: string;
  readonly at: number;
  readonly field: Field;
  readonly target: Target;
  readonly notation: FileNotation;
  readonly onChange: (target: Target) => void;
}

/** The words in a column that are not values of its field, and their replacements. */
export function Words({ table, name, at, field, target, notation, onChange }: WordsProps) {
  const options = field.type === "boolean" ? ["true", "false"] : (field.values ?? []);
  const { behind } = target;
  const hasWords = options.length > 0;
  // A hundred thousand rows take a while.
  const words = useMemo(
    () => (hasWords ? unknownWords(table, { at, field, behind, notation }) : []),
    [table, at, field, behind, notation, hasWords],
  );
  const { values = {} } = target;
  const meantBy = (word: string) => {
    const meant = Object.hasOwn(values, word) ? values[word] : undefined;
    return meant === "" ? nothing : (meant ?? asItIs);
  };
  return words.slice(0, mostWords).map((word) => (
    <Choice
      key={word}
      label={text.meaningOf(word, name)}
      value={meantBy(word)}
      options={[
        { value: asItIs, label: text.asItIs },
        ...options.map((value) => ({ value, label: value })),
        ...(field.required === true ? [] : [{ value: nothing, label: text.emptied }]),
      ]}
      onChange={(chosen) => {
        const { [word]: _, ...others } = values;
        const next = chosen === nothing ? "" : chosen;
        onChange({ ...target, values: chosen === asItIs ? others : { ...others, [word]: next } });
      }}
    />
  ));
}

function unknownWords(
  { rows }: Table,
  {
    at,
    field,
    behind,
    notation,
  }: Pick<WordsProps, "at" | "field" | "notation"> & Pick<Target, "behind">,
): readonly string[] {
  const bare = { field: field.name, by: null, behind };
  const words = new Set(rows.map((row) => notation.cellOf(row, at, bare).trim()));
  const numbers = numbersInFile(null);
  const isUnknown = (word: string) =>
    word !== "" && kindOf(field).readCell(field, word, { ...notation, numbers }).kind === "problem";
  return [...words].filter(isUnknown);
}
