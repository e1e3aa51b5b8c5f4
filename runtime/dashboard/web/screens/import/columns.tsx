import type { Field, Resource } from "../../api/client/types.js";
import { labelOf } from "../../api/records/descriptors.js";
import { Choice } from "../../parts/form/choice.js";
import { enImport } from "../../text/en/import.js";
import type { Table } from "./csv.js";
import { importFields, type Mapping, type Target } from "./mapping.js";
import { Behind, isBehind } from "./notation/behind.js";
import type { FileNotation } from "./notation/notation.js";
import { Words } from "./notation/values.js";
import "../../parts/page/table.css";

const text = enImport;
const ways = ["point", "comma"] as const;
/** Number of sample values shown per column. */
const samples = 3;

/** The columns of the file with their first values, and the field of each. */
export function Columns({
  table,
  resource,
  mapping,
  notation,
  isFixed,
  keysOf,
  onChange,
}: {
  readonly table: Table;
  readonly resource: Resource;
  readonly mapping: Mapping;
  readonly notation: FileNotation;
  readonly isFixed: boolean;
  readonly keysOf: (field: string) => readonly Field[];
  readonly onChange: (mapping: Mapping) => void;
}) {
  const fields = importFields(resource);
  const change = (at: number, target: Target | null) => onChange(mapping.with(at, target));
  return (
    <ul className="columns">
      {table.head.map((written, at) => {
        const name = written === "" ? text.noName(at + 1) : written;
        const target = mapping[at] ?? null;
        const field = fields.find((one) => one.name === target?.field);
        const keys = field?.resource === undefined ? [] : keysOf(field.name);
        const first = table.rows.slice(0, samples).map((row) => row[at] ?? "");
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
          <li key={at} className="card">
            <div className="grow">
              <bdi className="cut strong">{name}</bdi>
              <p className="cut small muted">
                <span className="hidden">{`${text.sample}: `}</span>
                <bdi>{first.join(", ")}</bdi>
              </p>
            </div>
            {isFixed ? (
              <span>{field === undefined ? text.leftOut : labelOf(field)}</span>
            ) : (
              <Choice
                label={text.goesToOf(name)}
                isLabelHidden
                value={target?.field ?? ""}
                options={[
                  { value: "", label: isBehind(mapping, at) ? text.isBehind : text.leftOut },
                  ...fields.map((one) => ({ value: one.name, label: labelOf(one) })),
                ]}
                onChange={(value) => {
                  const key = keysOf(value)[0]?.name ?? null;
                  change(at, value === "" ? null : { field: value, by: key });
                }}
              />
            )}
            {target?.numbers === undefined || isFixed ? null : (
              <Choice
                label={text.numbersOf(name)}
                isLabelHidden
                value={target.numbers ?? ""}
                options={[
                  ...(target.numbers === null ? [{ value: "", label: text.chooseNumbers }] : []),
                  ...ways.map((way) => ({ value: way, label: text.numbers[way] })),
                ]}
                onChange={(value) =>
                  change(at, { ...target, numbers: ways.find((way) => way === value) ?? null })
                }
              />
            )}
            {keys.length === 0 || target === null || isFixed ? null : (
              <Choice
                label={text.foundByOf(name)}
                isLabelHidden
                value={target.by ?? ""}
                options={[
                  ...keys.map((key) => ({
                    value: key.name,
                    label: `${text.foundBy} ${labelOf(key)}`,
                  })),
                  { value: "", label: `${text.foundBy} ${text.id}` },
                ]}
                onChange={(value) => change(at, { ...target, by: value === "" ? null : value })}
              />
            )}
            {target === null || field === undefined || isFixed ? null : (
              <>
                <Behind
                  {...{ table, name, field, target, mapping }}
                  onChange={(next) => change(at, next)}
                />
                <Words
                  {...{ table, name, at, field, target, notation }}
                  onChange={(next) => change(at, next)}
                />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
