import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { things, titleOf } from "../api/descriptors.js";
import { titleQuestion } from "../api/questions.js";
import { maxFound } from "../api/record-search.js";
import { useSession } from "../api/session.js";
import "../parts/field.css";
import "../parts/menu.css";
import { enList } from "../text/en-list.js";
import { useRecordSearch } from "./use-record-search.js";

const text = enList;

/** Searches for the related record that a list is filtered by. */
export function LinkFilter({
  label,
  resource: name,
  value,
  onChange,
}: {
  readonly label: string;
  readonly resource: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const resource = resources.find((one) => one.name === name);
  const { typed, setTyped, found, isLoading } = useRecordSearch(name, true);
  const [at, setAt] = useState(0);
  const id = useId();
  const rows = found?.rows ?? [];
  const choose = (row: (typeof rows)[number] | undefined) => {
    if (row === undefined) return;
    client.setQueryData(titleQuestion(user.id, resource, row.id).queryKey, row);
    onChange(row.id);
  };
  return (
    <div className="stack near">
      <input
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
            aria-selected={row.id === value}
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
