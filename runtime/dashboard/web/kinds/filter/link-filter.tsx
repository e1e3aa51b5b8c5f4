import { useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useSession } from "../../api/account/session.js";
import type { Field } from "../../api/client/types.js";
import { labelOf, things, titleOf } from "../../api/records/descriptors.js";
import { titleQuery } from "../../api/records/queries.js";
import { maxFound } from "../../api/records/record-search.js";
import "../../parts/status/chip.css";
import "../../parts/form/field.css";
import "../../parts/overlay/menu.css";
import { joinValues, listedValues } from "../../browser/address/listed-values.js";
import { Icon } from "../../parts/button/icon.js";
import { enList } from "../../text/en/list.js";
import type { FilterChoiceProps } from "../kind.js";
import { useRecordSearch } from "../value/use-record-search.js";
import { useTitles } from "../value/use-titles.js";
import { isOfList } from "./filter-controls.js";

const text = enList;

/** Searches for one or more related records to filter a list by. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one control, whose parts share its state
export default function LinkFilter({ field, operator, value, onChange }: FilterChoiceProps) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const resource = resources.find(({ name }) => name === field.resource);
  const { typed, setTyped, found, isLoading } = useRecordSearch({
    name: field.resource ?? "",
    isOpen: true,
  });
  const [at, setAt] = useState(0);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const label = labelOf(field);
  const rows = found?.rows ?? [];
  const isMany = isOfList(operator);
  const chosen = value === "" ? [] : isMany ? (listedValues(value) ?? []) : [value];
  const without = (one: string) => chosen.filter((other) => other !== one);
  const choose = (row: (typeof rows)[number] | undefined) => {
    if (row === undefined) return;
    client.setQueryData(titleQuery(user.id, resource, row.id).queryKey, row);
    if (!isMany) onChange(row.id);
    else onChange(joinValues(chosen.includes(row.id) ? without(row.id) : [...chosen, row.id]));
  };
  return (
    <div className="stack near">
      <Chosen
        field={field}
        ids={chosen}
        onRemove={(one) => {
          input.current?.focus();
          onChange(joinValues(without(one)));
        }}
      />
      <input
        ref={input}
        className="input"
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}list`}
        aria-activedescendant={rows.length === 0 ? undefined : `${id}${at}`}
        autoComplete="off"
        maxLength={200}
        placeholder={text.searchFor(resource === undefined ? text.accounts : things(resource))}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && rows.length > 0) {
            event.preventDefault();
            setAt((at + step + rows.length) % rows.length);
          }
          if (event.key === "Enter") {
            event.preventDefault();
            choose(rows[at]);
          }
        }}
      />
      <div
        id={`${id}list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={isMany}
        className="found"
        aria-busy={isLoading}
      >
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as a combobox wants
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={row.id}
            id={`${id}${index}`}
            role="option"
            aria-selected={chosen.includes(row.id)}
            data-focused={index === at || undefined}
            className="item"
            onClick={() => choose(row)}
          >
            <bdi className="cut">{titleOf(resource, row)}</bdi>
          </div>
        ))}
      </div>
      <p role="status" className="tiny muted">
        {found === undefined
          ? null
          : rows.length === 0
            ? text.noneHas(typed.trim())
            : found.hasMore
              ? text.foundMore(maxFound)
              : text.found(rows.length)}
      </p>
    </div>
  );
}

/** The chosen records, even if the search does not find them. */
function Chosen({
  field,
  ids,
  onRemove,
}: {
  readonly field: Field;
  readonly ids: readonly string[];
  readonly onRemove: (id: string) => void;
}) {
  const titles = useTitles(field, ids);
  if (ids.length === 0) return null;
  return (
    <ul className="row wrap" aria-label={enList.chosen}>
      {ids.map((id, at) => (
        <li key={id} className="chip">
          <bdi className="cut">{titles[at]}</bdi>
          <button
            type="button"
            className="x"
            aria-label={enList.removeFrom(titles[at] ?? "")}
            onClick={() => onRemove(id)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
