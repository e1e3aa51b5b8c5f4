import type { Field } from "../../../api/client/types.js";
import { Choice } from "../../../parts/form/choice.js";
import { enImport } from "../../../text/en/import.js";
import type { Table } from "../csv.js";
import type { Mapping, Target } from "../mapping.js";

const text = enImport;

/** Whether the cells of a column are appended to another's. */
export function isBehind(mapping: Mapping, at: number): boolean {
  return mapping.some((target) => target?.behind?.includes(at) === true);
}

/** Kinds of fields whose values other programs split into several columns. */
const joinedTypes: readonly Field["type"][] = ["string", "text", "date", "timestamp"];

/** The columns whose cells are appended to a column's, such as a time after its date. */
export function Behind({
  table,
  name,
  field,
  target,
  mapping,
  onChange,
}: {
  readonly table: Table;
  readonly name: string;
  readonly field: Field;
  readonly target: Target;
  readonly mapping: Mapping;
  readonly onChange: (target: Target) => void;
}) {
  const { behind = [] } = target;
  const free = table.head
    .map((head, place) => ({ head, place }))
    .filter(({ place }) => mapping[place] === null && !isBehind(mapping, place));
  if (!joinedTypes.includes(field.type) || free.length + behind.length === 0) return null;
  const places = [...behind, ...(free.length === 0 ? [] : [null])];
  return places.map((place, turn) => (
    <Choice
      key={place ?? "next"}
      label={text.behind(name)}
      isLabelHidden
      value={place === null ? "" : String(place)}
      options={[
        { value: "", label: text.nothingBehind },
        ...(place === null ? [] : [{ head: table.head[place] ?? "", place }])
          .concat(free)
          .map((one) => ({ value: String(one.place), label: text.followedBy(one.head) })),
      ]}
      onChange={(chosen) => {
        const next = chosen === "" ? [] : [Number(chosen)];
        onChange({ ...target, behind: [...behind.slice(0, turn), ...next] });
      }}
    />
  ));
}
