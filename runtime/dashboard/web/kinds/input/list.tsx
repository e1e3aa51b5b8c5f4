import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { elementsOf, listCell } from "../../../../values/csv/list-cell.js";
import "../../parts/form/field.css";
import "../../parts/status/chip.css";
import type { Field } from "../../api/client/types.js";
import { Button } from "../../parts/button/button.js";
import { Icon } from "../../parts/button/icon.js";
import { en } from "../../text/en/en.js";
import { enList } from "../../text/en/list.js";
import { enRecord } from "../../text/en/record.js";
import { described, joined } from "./described.js";
import type { InputProps } from "./input.js";

/** The elements of a list as chips, and a control for further ones. */
export function ListInput(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const { id, label, isOptional, error, help } = described(props);
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const elements = elementsOf(value);
  const put = (next: readonly string[]) => onChange(listCell(next));
  const Control = field.values === undefined ? TypedElement : ChosenElement;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        <bdi>{label}</bdi>
        {isOptional ? <span className="optional">{en.common.optional}</span> : null}
      </label>
      {elements.length === 0 ? null : (
        <Chips
          elements={elements}
          onRemove={(at) => {
            control.current?.focus();
            put(elements.filter((_, index) => index !== at));
          }}
        />
      )}
      <Control
        id={id}
        label={label}
        field={field}
        elements={elements}
        control={control}
        isInvalid={error !== undefined}
        onPut={put}
        onLeave={onLeave}
      />
      {error === undefined ? null : (
        <span className="error">
          <Icon name="alert" />
          <span>{error}</span>
        </span>
      )}
      <span className="help" id={`${id}help`}>
        {joined(help, enRecord.elements(elements.length, field.maxItems ?? elements.length))}
      </span>
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly label: string;
  readonly field: Field;
  readonly elements: readonly string[];
  readonly control: RefObject<(HTMLInputElement & HTMLSelectElement) | null>;
  readonly isInvalid: boolean;
  readonly onPut: (elements: readonly string[]) => void;
  readonly onLeave: () => void;
}

function TypedElement(props: ControlProps) {
  const { id, label, field, elements, control, isInvalid, onPut, onLeave } = props;
  const [typed, setTyped] = useState("");
  const add = (texts: readonly string[]) => {
    const more = texts.map((text) => text.trim()).filter((text) => text !== "");
    setTyped("");
    if (more.length > 0) onPut([...elements, ...more]);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && typed.trim() !== "") {
      event.preventDefault();
      add([typed]);
    }
    if (event.key === "Backspace" && typed === "" && elements.length > 0) {
      onPut(elements.slice(0, -1));
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedElements(event.clipboardData.getData("text/plain"));
    if (pasted.length < 2) return;
    event.preventDefault();
    add([typed, ...pasted]);
  };
  return (
    <span className="row">
      <input
        ref={control}
        id={id}
        className="input"
        type={field.type === "date" ? "date" : "text"}
        inputMode={field.type === "number" ? "decimal" : "text"}
        placeholder={field.placeholder ?? ""}
        autoComplete="off"
        aria-invalid={isInvalid}
        aria-describedby={`${id}help`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
        onBlur={() => {
          add([typed]);
          onLeave();
        }}
      />
      <Button label={enRecord.addTo(label)} onPress={() => add([typed])}>
        {enRecord.add}
      </Button>
    </span>
  );
}

/** Splits pasted text into its lines or, if it is a single line, into elements in the notation of files. */
function pastedElements(text: string): readonly string[] {
  const lines = text.split(/[\n\r]+/).filter((line) => line.trim() !== "");
  return lines.length > 1 ? lines : elementsOf(lines[0] ?? "");
}

function ChosenElement(props: ControlProps) {
  const { id, field, elements, control, isInvalid, onPut, onLeave } = props;
  const isOffered = (value: string) => field.distinct !== true || !elements.includes(value);
  return (
    <select
      ref={control}
      id={id}
      className="input"
      aria-invalid={isInvalid}
      aria-describedby={`${id}help`}
      value=""
      onChange={({ target }) => onPut([...elements, target.value])}
      onBlur={onLeave}
    >
      <option value="">{enRecord.choose}</option>
      {field.values?.filter(isOffered).map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}

interface ChipsProps {
  readonly elements: readonly string[];
  readonly onRemove: (at: number) => void;
}

function Chips({ elements, onRemove }: ChipsProps) {
  return (
    <ul className="row wrap" aria-label={enList.chosen}>
      {elements.map((element, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements may repeat, and keep no state
        <li key={at} className="chip">
          <bdi className="cut">{element}</bdi>
          <button
            type="button"
            className="x"
            aria-label={enList.removeFrom(element)}
            onClick={() => onRemove(at)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
