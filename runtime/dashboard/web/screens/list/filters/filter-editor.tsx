import { type FormEvent, useRef, useState } from "react";
import type { Field, Resource } from "../../../api/client/types.js";
import { labelOf } from "../../../api/records/descriptors.js";
import type { Condition } from "../../../browser/address/list-address.js";
import { kindOf } from "../../../kinds/kinds.js";
import { rulesOf } from "../../../kinds/query/list-rules.js";
import { Button } from "../../../parts/button/button.js";
import { Choice as Select } from "../../../parts/form/choice.js";
import { enList } from "../../../text/en/list.js";
import {
  type Choice,
  choiceOf,
  choicesOf,
  choiceWords,
  comparedAs,
  conditionOf,
  filterable,
  usualDays,
  valueFor,
} from "./conditions.js";

const text = enList;

/** The numbers of days offered. */
const spans = ["1", "7", "30", "90", "365"];

export interface FilterEditorProps {
  readonly resource: Resource;
  /** The condition to edit; null for a new one. */
  readonly condition: Condition | null;
  readonly onApply: (condition: Condition) => void;
  readonly onRemove?: () => void;
}

export function FilterEditor({ resource, condition, onApply, onRemove }: FilterEditorProps) {
  const fields = filterable(resource);
  const [name, setName] = useState(condition?.field ?? "");
  const field = fields.find((one) => one.name === name);
  const editor = useRef<HTMLDivElement>(null);
  return (
    <>
      {condition === null ? (
        <Select
          label={text.field}
          value={name}
          // The options never change: otherwise, the browser would reset its type-ahead.
          options={[
            { value: "", label: text.choose },
            ...fields.map((one) => ({ value: one.name, label: labelOf(one) })),
          ]}
          autoFocus
          onEnter={() => valueIn(editor.current)?.focus()}
          onChange={setName}
        />
      ) : (
        <p className="strong">
          <bdi>{field === undefined ? name : labelOf(field)}</bdi>
        </p>
      )}
      {field === undefined ? null : (
        <div ref={editor}>
          <Editor
            key={name}
            resource={resource}
            field={field}
            condition={condition}
            onApply={onApply}
            {...(onRemove === undefined ? {} : { onRemove })}
          />
        </div>
      )}
    </>
  );
}

/** The control for the value or, if there is none, for the operator. */
function valueIn(editor: HTMLElement | null): HTMLElement | null {
  return (
    editor?.querySelector<HTMLElement>("input") ??
    [...(editor?.querySelectorAll("select") ?? [])].at(-1) ??
    null
  );
}

function Editor({
  resource,
  field,
  condition,
  onApply,
  onRemove,
}: FilterEditorProps & { readonly field: Field }) {
  const choices = choicesOf(field);
  const [choice, setChoice] = useState<Choice>(
    condition === null ? (choices[0] ?? "empty") : choiceOf(condition),
  );
  const { choice: Value, typing = null } = kindOf(field).filter ?? {};
  const [value, setValue] = useState(() => {
    if (condition === null) return choice === "days" ? usualDays : "";
    return typing?.write(field, condition.value, condition.operator) ?? condition.value;
  });
  const [problem, setProblem] = useState<string | null>(null);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const [meant, typed] = typing === null ? [choice, value] : comparedAs(value, choice);
    const needsValue = meant !== "empty" && meant !== "notEmpty";
    if (needsValue && typed.trim() === "") return setProblem(text.invalid);
    const read = needsValue ? (typing?.read(field, typed, meant) ?? null) : null;
    if (read?.kind === "problem") return setProblem(read.message);
    const next = conditionOf(field.name, meant, read?.value ?? typed);
    if (rulesOf(resource).accepts(next)) onApply(next);
    else setProblem(text.invalid);
  };
  const offered = choices.includes(choice) ? choices : [...choices, choice];
  return (
    <form className="stack near" onSubmit={apply}>
      <Select
        label={text.operator}
        isLabelHidden
        value={choice}
        options={offered.map((one) => ({ value: one, label: choiceWords(field, one) }))}
        onChange={(next) => {
          setValue(valueFor(field, value, { from: choice, to: next as Choice }));
          setChoice(next as Choice);
          setProblem(null);
        }}
      />
      {choice === "empty" || choice === "notEmpty" || Value === undefined ? null : choice ===
        "days" ? (
        <Select
          label={text.value}
          isLabelHidden
          value={value}
          options={[...new Set([...spans, value])].map((days) => ({
            value: days,
            label: text.days(Number(days)),
          }))}
          onChange={setValue}
        />
      ) : (
        <Value
          label={text.value}
          field={field}
          operator={choice}
          value={value}
          onChange={(next) => {
            setProblem(null);
            setValue(next);
          }}
        />
      )}
      <p role="alert" className="error">
        {problem}
      </p>
      <div className="row">
        <Button look="primary" size="small" type="submit">
          {text.apply}
        </Button>
        {onRemove === undefined ? null : (
          <Button look="quiet" size="small" onPress={onRemove}>
            {text.remove}
          </Button>
        )}
      </div>
    </form>
  );
}
