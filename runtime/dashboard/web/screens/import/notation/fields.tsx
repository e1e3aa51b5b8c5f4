import { useState } from "react";
import { Field } from "../../../parts/form/field.js";
import { enImport } from "../../../text/en/import.js";
import { problemsOf, type TypedNotation } from "./notation.js";

const text = enImport.notation;
const names = ["dateFormat", "timezone", "nulls"] as const;

/**
 * The file's notation of dates, times and empty cells. An input takes effect when it loses the focus, unless it is
 * invalid.
 */
export function NotationFields({
  typed,
  onChange,
}: {
  readonly typed: TypedNotation;
  readonly onChange: (typed: TypedNotation) => void;
}) {
  const [draft, setDraft] = useState(typed);
  const [left, setLeft] = useState(typed);
  const problems = problemsOf(left);
  return (
    <details>
      <summary>{text.title}</summary>
      <div className="stack">
        {names.map((name) => (
          <Field
            key={name}
            name={name}
            label={text[name].label}
            help={text[name].help}
            value={draft[name]}
            error={problems[name]}
            isOptional
            onChange={(value) => setDraft({ ...draft, [name]: value })}
            onLeave={() => {
              setLeft(draft);
              const isSound = problemsOf(draft)[name] === undefined;
              if (isSound && draft[name] !== typed[name]) {
                onChange({ ...typed, [name]: draft[name] });
              }
            }}
          />
        ))}
      </div>
    </details>
  );
}
