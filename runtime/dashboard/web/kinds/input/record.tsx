import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import type { Row } from "../../api/client/types.js";
import { labelOf, may, recordPath, thing, titleOf } from "../../api/records/descriptors.js";
import { isIdOf } from "../../api/records/fields.js";
import { titleQuery } from "../../api/records/queries.js";
import { type FoundRecords, maxFound } from "../../api/records/record-search.js";
import { Icon } from "../../parts/button/icon.js";
import { Picker } from "../../parts/form/picker.js";
import { en } from "../../text/en/en.js";
import { enRecord } from "../../text/en/record.js";
import { useRecordSearch } from "../value/use-record-search.js";
import { described } from "./described.js";
import type { InputProps } from "./input.js";

/** Searches for the related record. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one control, whose parts share its state
export function RecordInput(props: InputProps) {
  const { field, value, onChange, onLeave, related, onCreate } = props;
  const { user, resources } = useSession();
  const target = resources.find(({ name }) => name === field.resource);
  const [isOpened, setOpened] = useState(false);
  const search = useRecordSearch({ name: field.resource ?? "", isOpen: isOpened });
  const [chosen, setChosen] = useState<Row | null>(null);
  const rows = search.found?.rows ?? [];
  const known = [chosen, related, ...rows].find((row) => row?.id === value);
  const isMe = field.resource === "users" && value === user.id;
  // An id from the address or a draft: its record neither came with the form nor was chosen here.
  const isUnknown = props.isChanged === true && known === undefined && isIdOf(field, value);
  const loaded = useQuery({
    ...titleQuery(user.id, target, value),
    enabled: isUnknown && target !== undefined && may(target, "get"),
  });
  const title =
    value === "" ? "" : isMe ? user.name : titleOf(target, known ?? loaded.data ?? { id: value });
  const label = labelOf(field);
  const isSearched = search.found !== undefined || !search.isLoading;
  const canCreate =
    target !== undefined && onCreate !== null && may(target, "create") && isSearched;
  return (
    <Picker
      {...described(props)}
      title={title}
      term={search.typed}
      onTerm={search.setTyped}
      onOpen={() => setOpened(true)}
      options={rows.map((row) => ({
        id: row.id,
        title: titleOf(target, row),
        detail: search.found?.detailOf(row),
      }))}
      isLoading={search.isLoading}
      foot={footOf(search.found, { title, label, term: search.term })}
      onChoose={({ id }) => {
        setChosen(rows.find((row) => row.id === id) ?? null);
        onChange(id);
      }}
      onClear={() => onChange("")}
      onLeave={onLeave}
      opener={
        value === "" || target === undefined || !may(target, "get") ? null : (
          <Link
            className="in"
            href={recordPath(target.name, value)}
            aria-label={enRecord.openLinked(title)}
            data-linked=""
          >
            <Icon name="open" />
          </Link>
        )
      }
      create={
        canCreate
          ? {
              label: enRecord.createNew(thing(target)),
              onPress: () =>
                onCreate?.(
                  target,
                  (made) => {
                    setChosen(made);
                    onChange(made.id);
                  },
                  search.typed,
                ),
            }
          : undefined
      }
    />
  );
}

interface Search {
  /** The title of the chosen record; empty if none is chosen. */
  readonly title: string;
  readonly label: string;
  readonly term: string;
}

function footOf(found: FoundRecords | undefined, { title, label, term }: Search): string {
  const now = title === "" ? "" : ` ${enRecord.now(title)}`;
  if (found === undefined) return en.common.loading;
  if (found.rows.length === 0) {
    return (term === "" ? enRecord.nothingToChoose : enRecord.noneHas(label, term)) + now;
  }
  return (found.hasMore ? enRecord.foundMore(maxFound) : enRecord.found(found.rows.length)) + now;
}
