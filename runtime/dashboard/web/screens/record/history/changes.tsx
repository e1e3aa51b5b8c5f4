import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSession } from "../../../api/account/session.js";
import {
  entryQuery,
  type FieldChange,
  type HistoryEntry,
  isDeletion,
} from "../../../api/changes/history.js";
import type { Field, Resource, Row } from "../../../api/client/types.js";
import { labelOf, readableFields } from "../../../api/records/descriptors.js";
import { Compared } from "../../../form/compared.js";
import { isSame } from "../../../form/state.js";
import { controlOf } from "../../../kinds/input/inputs.js";
import { kindOf } from "../../../kinds/kinds.js";
import { Button } from "../../../parts/button/button.js";
import { enHistory } from "../../../text/en/history.js";

const text = enHistory;

export interface ChangeListProps {
  readonly resource: Resource;
  readonly id: string;
  readonly entry: HistoryEntry;
  /** The current record, for users who may restore values; otherwise null. */
  readonly record: Row | null;
  readonly onPutBack: (change: FieldChange) => void;
}

/** The fields that an entry changed. Complete texts are requested when the user opens one. */
export function ChangeList({ resource, id, entry, record, onPutBack }: ChangeListProps) {
  const { user } = useSession();
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({
    ...entryQuery(user.id, { resource: resource.name, id }, entry.id),
    enabled: isWhole,
  });
  const changes = isWhole && whole.data !== undefined ? whole.data.changes : entry.changes;
  const fields = readableFields(resource);
  return (
    <dl className="changes">
      {changes.map((change) => {
        const field = fields.find(({ name }) => name === change.field) ?? {
          name: change.field,
          type: "string",
        };
        const isOffered =
          record !== null && entry.op === "update" && canPutBack(field, change, record);
        return (
          <div key={change.field}>
            <dt>
              <bdi>{labelOf(field)}</bdi>
            </dt>
            <dd>
              <div className="grow stack near">
                <div className="change">
                  <Change field={field} change={change} entry={entry} />
                </div>
                {change.cut === true ? (
                  <p className="small muted">
                    {text.wholeLater}{" "}
                    <Button
                      look="quiet"
                      size="small"
                      label={text.wholeOf(labelOf(field))}
                      isBusy={isWhole && whole.isFetching}
                      onPress={() => {
                        setWhole(true);
                        if (whole.isError) void whole.refetch();
                      }}
                    >
                      {text.whole}
                    </Button>
                  </p>
                ) : null}
              </div>
              {isOffered ? (
                <Button
                  look="quiet"
                  size="small"
                  label={text.putBackOf(labelOf(field))}
                  onPress={() => onPutBack(change)}
                >
                  {text.putBack}
                </Button>
              ) : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Whether the value before the change may be written, and differs from the record's. */
function canPutBack(field: Field, { from }: FieldChange, record: Row): boolean {
  if (field.writable === false || !Object.hasOwn(record, field.name)) return false;
  if (field.required === true && from === null) return false;
  const { typed } = kindOf(field).form;
  return !isSame(field, typed(from, field), typed(record[field.name], field));
}

/** A value before and after; for a text, the words that differ. */
function Change({
  field,
  change,
  entry,
}: {
  readonly field: Field;
  readonly change: FieldChange;
  readonly entry: HistoryEntry;
}) {
  const { typed, isProse } = kindOf(field).form;
  const [from, to] = [typed(change.from, field), typed(change.to, field)];
  const Shown = controlOf(field).shown;
  const { op } = entry;
  if (op === "create" || op === "restore") return <Shown field={field} typed={to} />;
  if (isDeletion(entry)) return <Shown field={field} typed={from} />;
  if (isProse && from !== "" && to !== "") return <Compared before={from} after={to} />;
  return (
    <>
      <Shown field={field} typed={from} /> <span aria-hidden="true">→</span>
      <span className="hidden">{text.becomes}</span> <Shown field={field} typed={to} />
    </>
  );
}
