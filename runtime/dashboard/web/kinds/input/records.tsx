import { useQueryClient } from "@tanstack/react-query";
import { type ClipboardEvent, useId, useState } from "react";
import { listCell } from "../../../../values/csv/list-cell.js";
import { isUuid } from "../../../../values/uuid.js";
import { useSession } from "../../api/account/session.js";
import type { Row } from "../../api/client/types.js";
import { labelOf, may, thing, titleOf } from "../../api/records/descriptors.js";
import { titleQuery } from "../../api/records/queries.js";
import { maxFound } from "../../api/records/record-search.js";
import { Icon } from "../../parts/button/icon.js";
import { Picker } from "../../parts/form/picker.js";
import { useReorder } from "../../parts/page/reorder.js";
import { en } from "../../text/en/en.js";
import { enRecord } from "../../text/en/record.js";
import { typedIds } from "../list/links.js";
import { useRecordSearch } from "../value/use-record-search.js";
import { useTitles } from "../value/use-titles.js";
import { described } from "./described.js";
import type { InputProps, ShownProps } from "./input.js";
import "../../parts/status/chip.css";

/** Chooses related records and their order. */
export function RecordsInput(props: InputProps) {
  const { field, value, onChange, onLeave, onCreate } = props;
  const { user, resources } = useSession();
  const client = useQueryClient();
  const target = resources.find(({ name }) => name === field.resource);
  const [isOpened, setOpened] = useState(false);
  const search = useRecordSearch({ name: field.resource ?? "", isOpen: isOpened });
  const ids = typedIds(value);
  const rows = (search.found?.rows ?? []).filter(({ id }) => !ids.includes(id));
  const set = (next: readonly string[]) => onChange(listCell(next));
  const add = (row: Row) => {
    client.setQueryData(titleQuery(user.id, target, row.id).queryKey, row);
    set([...ids, row.id]);
  };
  const paste = (event: ClipboardEvent) => {
    // Ids of other types look like search terms.
    if ((field.idType ?? "uuid") !== "uuid") return;
    const pasted = event.clipboardData
      .getData("text")
      .split(/[\s,;|]+/)
      .filter(isUuid);
    if (pasted.length === 0) return;
    event.preventDefault();
    set([...new Set([...ids, ...pasted.map((id) => id.toLowerCase())])]);
  };
  const canCreate = target !== undefined && onCreate !== null && may(target, "create");
  return (
    <div className="stack near" onPaste={paste}>
      <Picker
        {...described(props)}
        title=""
        term={search.typed}
        onTerm={search.setTyped}
        onOpen={() => setOpened(true)}
        options={rows.map((row) => ({
          id: row.id,
          title: titleOf(target, row),
          detail: search.found?.detailOf(row),
        }))}
        isLoading={search.isLoading}
        foot={
          search.found === undefined
            ? en.common.loading
            : search.found.hasMore
              ? enRecord.foundMore(maxFound)
              : enRecord.found(rows.length)
        }
        onChoose={({ id }) => {
          const row = rows.find((one) => one.id === id);
          if (row !== undefined) add(row);
        }}
        onClear={() => set([])}
        onLeave={onLeave}
        create={
          canCreate
            ? {
                label: enRecord.createNew(thing(target)),
                onPress: () => onCreate?.(target, add, search.typed),
              }
            : undefined
        }
      />
      <Chosen field={field} ids={ids} onChange={set} />
    </div>
  );
}

/** The chosen records, reordered by dragging or by Alt and the arrow keys. */
function Chosen({
  field,
  ids,
  onChange,
}: Pick<InputProps, "field"> & {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const titles = useTitles(field, ids);
  const id = useId();
  const { entry, onKeyDown } = useReorder(ids, onChange);
  if (ids.length === 0) return null;
  return (
    <ol className="row wrap" aria-label={enRecord.chosenOf(labelOf(field))}>
      {ids.map((one, at) => (
        <li key={one} className="chip" {...entry(at)}>
          <bdi className="cut">{titles[at]}</bdi>
          <button
            type="button"
            className="x"
            id={`${id}-${one}`}
            aria-label={enRecord.removeOrMove(titles[at] ?? "")}
            onClick={() => onChange(ids.filter((other) => other !== one))}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Shows the titles of the records next to other versions. */
export function ShownRecords({ field, typed }: ShownProps) {
  const titles = useTitles(field, typedIds(typed));
  return <bdi>{titles.join(", ")}</bdi>;
}
