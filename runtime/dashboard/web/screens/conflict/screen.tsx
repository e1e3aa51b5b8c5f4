import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../api/account/session.js";
import { lastEntryQuery } from "../../api/changes/history.js";
import {
  hasHistory,
  labelOf,
  listPath,
  mayWith,
  recordPath,
  someRole,
  titleOf,
} from "../../api/records/descriptors.js";
import { type Choices, type MergeField, merged, mergeOf, openFields } from "../../form/merge.js";
import { typedOf } from "../../form/state.js";
import type { ConflictProps } from "../../form/versions.js";
import { controlOf } from "../../kinds/input/inputs.js";
import { Button } from "../../parts/button/button.js";
import { Tag, Title } from "../../parts/page/page.js";
import { Notice } from "../../parts/status/notice.js";
import { changeTime, time } from "../../text/dates.js";
import { enConflict } from "../../text/en/conflict.js";
import { Both } from "./both.js";
import "../../parts/page/dock.css";
import "./screen.css";

const text = enConflict;

/** Merges two versions of a record: nothing is overwritten or preselected. */
export default function Conflict(props: ConflictProps) {
  const { resource, fields, versions, isBusy, onSave, onBack, onDiscard } = props;
  const { record } = versions.theirs;
  const theirs = typedOf(fields, record);
  const merge = mergeOf(fields, { before: versions.before, theirs, mine: versions.mine });
  const [choices, setChoices] = useState<Choices>({});
  const open = openFields(merge, choices);
  const left = text.left(open.length, open.map(({ field }) => labelOf(field)).join(", "));
  const choose = (name: string, side: "theirs" | "mine") =>
    setChoices({ ...choices, [name]: side });
  const when = changeTime(record);
  const { user } = useSession();
  const isKept =
    hasHistory(resource) && mayWith({ resource, record }, "history", someRole(user.id));
  const last = useQuery({
    ...lastEntryQuery(user.id, { resource: resource.name, id: record.id }),
    enabled: isKept,
  });
  // Null for the same user in another window: "Theirs" is a good enough name then.
  const by = last.data?.by?.id === user.id ? null : (last.data?.by?.name ?? null);
  return (
    <div className="docked">
      <div className="scroller">
        <div className="top">
          <div>
            <p className="crumbs">
              <Link href={listPath(resource)}>
                <bdi>{resource.label}</bdi>
              </Link>
              <span aria-hidden="true">/</span>
              <Link className="cut" href={recordPath(resource.name, record.id)} onClick={onBack}>
                <bdi>{titleOf(resource, record)}</bdi>
              </Link>
            </p>
            <Title>{text.title}</Title>
          </div>
        </div>
        <div className="content">
          <div role="alert">
            <Notice look="warn">
              <p className="strong">{by === null ? text.lead(when) : text.leadBy(by, when)}</p>
              <p className="small">{merge.both.length === 0 ? text.textNone : text.text}</p>
            </Notice>
          </div>
          {props.refused === null ? null : (
            <div role="alert">
              <Notice look="bad">
                <p>{props.refused}</p>
              </Notice>
            </div>
          )}
          {merge.both.length === 0 ? null : (
            <Both
              fields={merge.both}
              choices={choices}
              by={by}
              saved={changeTime(record, time)}
              onChoose={choose}
            />
          )}
          {merge.mine.length + merge.theirs.length === 0 ? null : (
            <section className="stack near" aria-labelledby="one-side">
              <h2 id="one-side">{text.one}</h2>
              <ul className="card rows small">
                {merge.mine.map((one) => (
                  <li key={one.field.name}>
                    <Tag look="mine">{text.mineTag}</Tag>
                    <Change one={one} side="mine" isTaken={choices[one.field.name] === "theirs"} />
                    <Button
                      look="quiet"
                      size="small"
                      label={`${choices[one.field.name] === "theirs" ? text.keepMine : text.revert}: ${labelOf(one.field)}`}
                      onPress={() =>
                        choose(
                          one.field.name,
                          choices[one.field.name] === "theirs" ? "mine" : "theirs",
                        )
                      }
                    >
                      {choices[one.field.name] === "theirs" ? text.keepMine : text.revert}
                    </Button>
                  </li>
                ))}
                {merge.theirs.map((one) => (
                  <li key={one.field.name}>
                    <Tag>{by === null ? text.theirsTag : <bdi>{by}</bdi>}</Tag>
                    <Change one={one} side="theirs" isTaken={false} />
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
      <div className="save-dock">
        <Button
          look="primary"
          isBusy={isBusy}
          {...(open.length === 0 ? {} : { barred: left })}
          onPress={() => {
            const result = merged(merge, theirs, choices);
            onSave(result.mine, result.fields);
          }}
        >
          {text.save}
        </Button>
        <Button onPress={onBack}>{text.back}</Button>
        <span className="grow small muted" role="status">
          {open.length === 0 ? text.allChosen : left}
        </span>
        <Button look="quiet-danger" onPress={onDiscard}>
          {text.discard}
        </Button>
      </div>
    </div>
  );
}

function Change({
  one,
  side,
  isTaken,
}: {
  readonly one: MergeField;
  readonly side: "mine" | "theirs";
  readonly isTaken: boolean;
}) {
  const { field } = one;
  const Shown = controlOf(field).shown;
  return (
    <span className="grow merged-change" data-taken={isTaken || undefined}>
      <bdi className="strong">{labelOf(field)}</bdi> <Shown field={field} typed={one.before} />{" "}
      <span aria-hidden="true">→</span>
      <span className="hidden">{text.arrow}</span> <Shown field={field} typed={one[side]} />
      {isTaken ? <span className="muted"> ({text.reverted})</span> : null}
    </span>
  );
}
