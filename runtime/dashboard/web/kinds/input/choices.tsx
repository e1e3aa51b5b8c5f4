import { useState } from "react";
import { foldText } from "../../../../values/text.js";
import { labelOf } from "../../api/records/descriptors.js";
import { Choice } from "../../parts/form/choice.js";
import { Picker } from "../../parts/form/picker.js";
import { Radios } from "../../parts/form/radios.js";
import { Switch } from "../../parts/form/switch.js";
import { enRecord } from "../../text/en/record.js";
import { described } from "./described.js";
import type { InputProps } from "./input.js";

/** Maximum number of values in a plain list. */
const someValues = 15;
/**
 * Maximum number of letters in a row of radio buttons that fits a third of a form. Each button counts as four letters.
 */
const lineLetters = 28;

export function ChoiceInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const known = field.values ?? [];
  // A value that an earlier descriptor allowed stays visible.
  const values = value === "" || known.includes(value) ? known : [...known, value];
  if (values.length > someValues) return <SearchedChoice {...props} />;
  const words = values.map((one) => ({ value: one, label: one }));
  const none = { value: "", label: field.required === true ? enRecord.choose : enRecord.none };
  const isOptional = field.required !== true;
  const isShort = fitLine([...values, ...(isOptional ? [none.label] : [])]);
  const needsNone = isOptional || (!isShort && value === "");
  const options = needsNone
    ? [...(isShort ? [] : [none]), ...words, ...(isShort ? [none] : [])]
    : words;
  const shared = { ...described(props), value, options, onChange, onLeave };
  return isShort ? <Radios {...shared} /> : <Choice {...shared} />;
}

/** Whether these words fit in a line as radio buttons; letters as wide as Chinese ones count twice. */
function fitLine(words: readonly string[]): boolean {
  const letters = words.flatMap((word) => [...word]);
  const wide = letters.filter((letter) => letter > "\u1100").length;
  return letters.length + wide + 4 * words.length <= lineLetters;
}

/** A search field for many values. */
function SearchedChoice(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const [term, setTerm] = useState("");
  const wanted = foldText(term.trim());
  const found = (field.values ?? []).filter((one) => foldText(one).includes(wanted));
  return (
    <Picker
      {...described(props)}
      title={value}
      term={term}
      onTerm={setTerm}
      options={found.map((one) => ({ id: one, title: one }))}
      isLoading={false}
      foot={
        found.length === 0 ? enRecord.noneHas(labelOf(field), term) : enRecord.found(found.length)
      }
      onChoose={({ id }) => onChange(id)}
      onClear={() => onChange("")}
      onLeave={onLeave}
    />
  );
}

export function SwitchInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  if (field.required === true) {
    const { isOptional: _, ...rest } = described(props);
    return <Switch {...rest} isOn={value === "true"} onChange={(isOn) => onChange(String(isOn))} />;
  }
  const options = [
    { value: "", label: enRecord.none },
    { value: "true", label: enRecord.yes },
    { value: "false", label: enRecord.no },
  ];
  return (
    <Choice
      {...described(props)}
      value={value}
      options={options}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}
