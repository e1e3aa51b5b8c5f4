import { useId, useState } from "react";
import { isStatus } from "../../api/client/errors.js";
import type { Field, Resource } from "../../api/client/types.js";
import { hasTime, things, titleOf } from "../../api/records/descriptors.js";
import type { Version } from "../../api/records/records.js";
import { Button } from "../../parts/button/button.js";
import { Radios } from "../../parts/form/radios.js";
import { useToast } from "../../parts/overlay/toast.js";
import { Refusal } from "../../parts/status/notice.js";
import { time } from "../../text/dates.js";
import { enMerging } from "../../text/en/conflict.js";
import { en } from "../../text/en/en.js";
import { enEach } from "../../text/en/operators/each.js";
import { enRecord } from "../../text/en/record.js";
import { count } from "../../text/format.js";
import { DependantList } from "../dependants.js";
import { isSame, typedOf } from "../state.js";
import { Moved } from "./moved.js";
import { prevents, useMerging } from "./use-merging.js";
import { Values } from "./values.js";

const text = enMerging;

export interface QuestionProps {
  readonly resource: Resource;
  readonly versions: readonly [Version, Version];
  readonly onClose: () => void;
  readonly onMerged: (id: string) => void;
  readonly onStale: () => void;
}

/** Asks which of two records to keep, and with which values; then merges them. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one question, whose parts share the two records
export function Question({ resource, versions, onClose, onMerged, onStale }: QuestionProps) {
  const toast = useToast();
  const radios = useId();
  const [first, second] = versions;
  const [keptId, setKept] = useState(first.record.id);
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const [kept, other] = keptId === first.record.id ? [first, second] : [second, first];
  const differing = differingFields(resource, versions);
  const chosen = (field: Field) => choices[field.name] ?? suggested(field, { kept, other });
  const taken = differing.filter((field) => chosen(field) !== kept.record.id);
  const titles = versions.map(({ record }) => titleOf(resource, record));
  const sides = versions.map(({ record }, at) => ({
    record,
    name: nameOf(resource, { record, title: titles[at] ?? "", isShared: titles[0] === titles[1] }),
  }));
  const otherName = sides.find(({ record }) => record.id === other.record.id)?.name ?? "";
  const merging = useMerging({
    ...{ resource, kept, other, taken, onStale },
    onMerged: () => {
      toast(text.merged(titleOf(resource, other.record), titleOf(resource, kept.record)));
      onMerged(kept.record.id);
    },
  });
  const { handOver, finish, movable, staying } = merging;
  const { progress } = handOver;
  const isMoving = progress !== null && progress.kind !== "ended";
  const isChoosing = !isMoving && !finish.isBusy && !merging.hasRefused;
  const barred = merging.isCounting
    ? text.counting
    : staying.some(prevents)
      ? enRecord.deleteBarred
      : undefined;
  return (
    <>
      {isChoosing ? (
        <>
          <Radios
            id={radios}
            label={text.keep}
            value={keptId}
            options={sides.map(({ record, name }) => ({ value: record.id, label: name }))}
            onChange={setKept}
            onLeave={() => {}}
          />
          <Values
            fields={differing}
            sides={sides}
            chosen={chosen}
            onChoose={({ name }, id) => setChoices({ ...choices, [name]: id })}
          />
          {movable.length === 0 ? null : (
            <ul className="stack near">
              {movable.map(({ resource: { label, name }, field, total = 0 }) => (
                <li key={`${name} ${field.name}`}>
                  {text.moves({ label, count: count(total), isOne: total === 1 })}
                </li>
              ))}
            </ul>
          )}
        </>
      ) : null}
      <DependantList dependants={staying} id={other.record.id} />
      <p>{resource.trash === undefined ? text.deleted(otherName) : text.trashed(otherName)}</p>
      <Moved progress={progress} words={{ running: text.moving, ended: text.moved }} />
      <Refusal
        refused={
          isStatus(finish.error, 412)
            ? { ...finish.refused, general: text.changedMeanwhile }
            : finish.refused
        }
      />
      <div className="actions">
        {isMoving ? (
          <Button onPress={progress.kind === "held" ? handOver.again : handOver.stop}>
            {progress.kind === "held" ? enEach.goOn : enEach.stop}
          </Button>
        ) : (
          <Button onPress={onClose}>{en.common.cancel}</Button>
        )}
        <Button
          look="primary"
          isBusy={finish.isBusy || isMoving}
          onPress={merging.start}
          {...(barred === undefined ? {} : { barred })}
        >
          {merging.hasRefused ? text.finish : text.button(things(resource))}
        </Button>
      </div>
    </>
  );
}

/** Returns the fields that may be written and have two different values. */
function differingFields(
  resource: Resource,
  [first, second]: QuestionProps["versions"],
): readonly Field[] {
  const fields = resource.fields.filter(
    ({ writable, readable }) => writable !== false && readable !== false,
  );
  const [one, two] = [typedOf(fields, first.record), typedOf(fields, second.record)];
  return fields.filter((field) => !isSame(field, one[field.name], two[field.name]));
}

/**
 * Returns the id of the record whose value is preselected: the kept record, unless its value is empty and the other one
 * does not link to it.
 */
function suggested(
  field: Field,
  { kept, other }: { readonly kept: Version; readonly other: Version },
): string {
  const isEmpty = isSame(field, typedOf([field], kept.record)[field.name], "");
  const { id } = kept.record;
  const isLinkHere = field.resource !== undefined && [other.record[field.name]].flat().includes(id);
  return isEmpty && !isLinkHere ? other.record.id : id;
}

interface Named {
  readonly record: Version["record"];
  readonly title: string;
  /** Whether both records have the same title. */
  readonly isShared: boolean;
}

/** Returns a record's title; if both are the same, with the time of its creation or its id. */
function nameOf(resource: Resource, { record, title, isShared }: Named): string {
  if (!isShared) return title;
  return hasTime(resource, "createdAt")
    ? text.created(title, time(String(record.createdAt)))
    : `${title}, ${record.id}`;
}
