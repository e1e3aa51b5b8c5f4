import { useState } from "react";
import { isObject } from "../../../../../values/json-schema/schema.js";
import type { JsonIssue } from "../../../../../values/stored-json/rules.js";
import { Button } from "../../../parts/button/button.js";
import { Field } from "../../../parts/form/field.js";
import { Labelled, LabelledGroup } from "../../../parts/form/labelled.js";
import { enRecord } from "../../../text/en/record.js";
import { prettyText, readJson, schemaIssues } from "../../value/json-text.js";
import { described } from "../described.js";
import type { InputProps } from "../input.js";
import { CodeInput } from "./code.js";
import { fits, type Member, membersOf, numberOrText, readNumber, withMember } from "./members.js";

/** Edits a JSON value: in a form if it is an object with known fields, otherwise as text. */
export function JsonInput(props: InputProps) {
  const { field, value: typed, error, onChange, onLeave } = props;
  const [isText, setText] = useState(false);
  const members = membersOf(field.schema);
  const read = typed.trim() === "" ? { value: null } : readJson(typed);
  const canBeForm = members !== null && "value" in read && fits(read.value, members);
  if (!canBeForm || isText) {
    return (
      <div className="stack near">
        <CodeInput {...props} />
        {canBeForm ? (
          <p>
            <Button size="small" look="quiet" onPress={() => setText(false)}>
              {enRecord.editAsForm}
            </Button>
          </p>
        ) : null}
      </div>
    );
  }
  const issues = error === undefined ? [] : schemaIssues(field, read.value);
  return (
    <LabelledGroup {...described(props)} className="stack">
      <Members
        id={props.id}
        members={members}
        value={read.value}
        path={[]}
        issues={issues}
        onChange={(next) => onChange(next === null ? "" : prettyText(next))}
        onLeave={onLeave}
      />
      <p>
        <Button size="small" look="quiet" onPress={() => setText(true)}>
          {enRecord.editAsText}
        </Button>
      </p>
    </LabelledGroup>
  );
}

interface MembersProps extends Pick<InputProps, "id" | "onLeave"> {
  readonly members: readonly Member[];
  readonly value: unknown;
  readonly path: readonly string[];
  readonly issues: readonly JsonIssue[];
  readonly onChange: (value: object | null) => void;
}

function Members(props: MembersProps) {
  const { id, members, value, path, issues, onChange, onLeave } = props;
  const own = isObject(value) ? value : {};
  return members.map((member, at) => (
    <OneMember
      key={member.key}
      // The first input has the field's id: links to the field lead there.
      id={at === 0 ? id : `${id}-${member.key}`}
      member={member}
      value={own[member.key]}
      path={[...path, member.key]}
      issues={issues}
      onChange={(next) => onChange(withMember(value, members, [member.key, next]))}
      onLeave={onLeave}
    />
  ));
}

interface MemberProps extends Omit<MembersProps, "members" | "onChange"> {
  readonly member: Member;
  /** Receives undefined if there is no value. */
  readonly onChange: (value: unknown) => void;
}

function OneMember(props: MemberProps) {
  const { id, member, value, path, issues, onChange, onLeave } = props;
  const { key, label, help, isRequired, input } = member;
  const place = path.join(".");
  const error = issues.find((issue) => issue.path.join(".") === place)?.message;
  const common = { id, label, help, isOptional: !isRequired, error };
  if (input.kind === "object") {
    return (
      <LabelledGroup {...common} id={`${id}-group`} className="stack">
        <Members
          {...props}
          members={input.members}
          onChange={(next) => onChange(next ?? undefined)}
        />
      </LabelledGroup>
    );
  }
  if (input.kind === "choice") {
    return (
      <Labelled {...common}>
        {(ties) => (
          <select
            {...ties}
            className="input"
            value={value === undefined ? "" : String(value)}
            onChange={({ target }) =>
              onChange(input.values.find((choice) => String(choice) === target.value))
            }
            onBlur={onLeave}
          >
            <option value="">{enRecord.choose}</option>
            {input.values.map((choice) => (
              <option key={String(choice)} value={String(choice)}>
                {wordOf(choice)}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    );
  }
  const isNumber = input.kind === "number";
  return (
    <Field
      {...common}
      name={key}
      {...(isNumber ? { inputMode: "decimal" as const } : {})}
      autoComplete="off"
      value={value === undefined ? "" : String(value)}
      onChange={(typed) =>
        onChange(typed === "" ? undefined : isNumber ? numberOrText(typed) : typed)
      }
      onLeave={() => {
        if (isNumber && typeof value === "string") onChange(readNumber(value));
        onLeave();
      }}
    />
  );
}

function wordOf(choice: string | boolean): string {
  if (typeof choice === "string") return choice;
  return choice ? enRecord.yes : enRecord.no;
}
