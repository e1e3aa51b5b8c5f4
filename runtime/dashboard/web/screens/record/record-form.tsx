import { type ReactNode, useEffect, useId, useReducer, useRef, useState } from "react";
import { recordPath } from "../../api/descriptors.js";
import type { Around, Version } from "../../api/records.js";
import type { Field, Resource } from "../../api/types.js";
import {
  bodyOf,
  changedFields,
  formReducer,
  hopelessFields,
  newBodyOf,
  openForm,
  type Typed,
  typedOf,
} from "../../form/state.js";
import type { ConflictScreen, Versions } from "../../form/versions.js";
import { useToast } from "../../parts/toast.js";
import { enRecord } from "../../text/en-record.js";
import { CreateDrawer, type Creation } from "./create-drawer.js";
import { Facts } from "./facts.js";
import { focusField } from "./fields.js";
import { FormBody } from "./form-body.js";
import { LeaveGuard } from "./leave.js";
import { noRefusal, type Refusal, readRefusal, refusalText } from "./refusal.js";
import { SaveDock } from "./save-dock.js";
import { Strips } from "./strips.js";
import { useDraft } from "./use-draft.js";
import { useElsewhere } from "./use-elsewhere.js";
import { useKeys } from "./use-keys.js";
import { type Saving, useSave } from "./use-save.js";

const text = enRecord;

export interface Saved {
  readonly version: Version;
  /** The user continues with another record. */
  readonly isLast: boolean;
}

export interface RecordFormProps {
  readonly resource: Resource;
  readonly fields: readonly Field[];
  /** Fields that are shown and cannot be written. */
  readonly fixed: readonly Field[];
  /** The record as it was opened; null for a new one. */
  readonly version: Version | null;
  readonly start: Typed;
  /** Initial values that count as changes. */
  readonly given: Typed;
  readonly draft: string;
  readonly head: ReactNode;
  readonly title: string;
  readonly links: Around["links"];
  /** What is shown over the form, whose dock stays while there is something to save. */
  readonly cover: ReactNode;
  /** There is something to see in the form. */
  readonly onUncover: () => void;
  readonly onSaved: (saved: Saved) => void;
  /** Shows their version from now on. */
  readonly onAdopted: (version: Version) => void;
  readonly Conflict: ConflictScreen;
}

/** A form that loses nothing: changes are stored as a draft, and no other version is overwritten. */
export function RecordForm(props: RecordFormProps) {
  const { resource, fields, links, head, cover, onSaved, onAdopted, Conflict } = props;
  const form = useId();
  const toast = useToast();
  const [version, setVersion] = useState(props.version);
  const [state, act] = useReducer(formReducer, null, () =>
    openForm(props.start, { ...props.start, ...props.given }),
  );
  const [refusal, setRefusal] = useState<Refusal>(noRefusal);
  const [tries, setTries] = useState(0);
  const [versions, setVersions] = useState<Versions | null>(null);
  const [busy, setBusy] = useState<readonly string[]>([]);
  const [creation, setCreation] = useState<Creation | null>(null);
  const [elsewhere, setElsewhere] = useElsewhere(resource.name, version);
  const { before, mine } = state;
  const opened = version === null ? { ...props.start, ...props.given } : before;
  const etag = version?.etag ?? null;
  const draft = useDraft({ name: props.draft, etag, fields, before, opened, mine });
  const changed = changedFields(fields, before, mine);
  // What a new form began with is nobody's work yet.
  const typed = changed.length === 0 ? [] : changedFields(fields, opened, mine);
  const last = useRef<Saving | null>(null);

  const adopt = (next: Version) => {
    draft.drop();
    setVersion(next);
    const theirs = typedOf(fields, next.record);
    act({ kind: "restored", before: theirs, mine: theirs });
    setElsewhere({ kind: "nothing" });
    setVersions(null);
    setRefusal(noRefusal);
    setTries(0);
    onAdopted(next);
  };
  const save = useSave({
    resource,
    attempt: draft.attempt,
    onAttempt: draft.onAttempt,
    onSaved: (next, saving) => {
      draft.drop();
      setVersion(next);
      act({ kind: "saved", record: typedOf(fields, next.record), sent: saving.mine });
      setVersions(null);
      setRefusal(noRefusal);
      setTries(0);
      onSaved({ version: next, isLast: saving.isLast });
    },
    onMet: (theirs, saving) => {
      // The result of an earlier merge is mine now, and the version that it was merged with is the one before.
      const former = saving.base === null ? before : typedOf(fields, saving.base.record);
      setElsewhere({ kind: "saved", version: theirs });
      setVersions({ before: former, theirs, mine: saving.mine });
    },
    onGone: () => setElsewhere({ kind: "deleted" }),
    onRefused: (error, saving) => {
      const read = readRefusal(error, fields);
      if (Object.keys(read.fields).length > 0 && saving.base !== version && saving.base !== null) {
        // A merged record returns to the form, where its fields can be changed.
        setVersion(saving.base);
        act({
          kind: "restored",
          before: typedOf(fields, saving.base.record),
          mine: saving.mine,
        });
        setVersions(null);
      }
      act({ kind: "refused", fields: read.fields });
      setRefusal(read.refusal);
      setTries((count) => count + 1);
    },
  });

  const send = (saving: Saving) => {
    last.current = saving;
    save.send(saving);
  };
  const submit = (isLast: boolean) => {
    if (busy.length > 0 || save.isBusy) return;
    act({ kind: "checked", fields: fields.map(({ name }) => name) });
    if (hopelessFields(version === null ? fields : changed, mine).length > 0) {
      setRefusal(noRefusal);
      setTries((count) => count + 1);
      return;
    }
    if (version !== null && changed.length === 0) {
      if (isLast) onSaved({ version, isLast });
      else toast(text.nothingChanged);
      return;
    }
    const body = version === null ? newBodyOf(fields, mine) : bodyOf(changed, mine);
    send({ body, fields: version === null ? fields : changed, mine, base: version, isLast });
  };
  const discard = () => {
    draft.drop();
    act({ kind: "discarded" });
    setRefusal(noRefusal);
    setTries(0);
  };
  const isCovered = cover !== null;
  const uncover = useRef<(() => void) | null>(null);
  uncover.current = isCovered ? props.onUncover : null;
  // What is wrong stands in the form.
  useEffect(() => {
    if (tries > 0) uncover.current?.();
  }, [tries]);
  useKeys(submit, () => {
    const first = fields[0];
    if (first !== undefined) focusField(form, first);
  });

  if (versions !== null) {
    return (
      <Conflict
        key={versions.theirs.etag}
        resource={resource}
        fields={fields}
        versions={versions}
        isBusy={save.isBusy}
        refused={tries === 0 ? null : refusalText(refusal)}
        onSave={(merged, kept) => {
          const { theirs } = versions;
          if (kept.length === 0) {
            adopt(theirs);
            return;
          }
          const body = bodyOf(kept, merged);
          send({ body, fields: kept, mine: merged, base: theirs, isLast: false });
        }}
        onBack={() => setVersions(null)}
        onDiscard={() => adopt(versions.theirs)}
      />
    );
  }
  const strips = (
    <Strips
      resource={resource}
      fields={fields}
      version={version}
      isChanged={changed.length > 0}
      draft={draft}
      elsewhere={elsewhere}
      onRestore={(restored, etag) => {
        draft.take();
        const now = {
          before: { ...before, ...restored.before },
          mine: { ...before, ...restored.mine },
        };
        if (version !== null && etag !== version.etag) {
          setVersions({ before: now.before, theirs: version, mine: now.mine });
        } else act({ kind: "restored", before, mine: now.mine });
      }}
      onAdopt={adopt}
      onCompare={(theirs) => setVersions({ before, theirs, mine })}
    />
  );
  const own =
    version === null ? `${resource.name}/new` : recordPath(resource.name, version.record.id);
  return (
    <div className="docked">
      {cover}
      <div className="scroller" hidden={isCovered}>
        {head}
        <div className="record">
          <FormBody
            id={form}
            resource={resource}
            fields={fields}
            fixed={props.fixed}
            version={version}
            state={state}
            links={links}
            refusal={refusal}
            tries={tries}
            strips={strips}
            onAct={act}
            onSubmit={() => submit(false)}
            onRetry={() => {
              // The same body with the same key, unless something was typed since.
              if (last.current?.mine === mine) send(last.current);
              else submit(last.current?.isLast ?? false);
            }}
            onBusy={(name, isBusy) =>
              setBusy((names) => {
                const others = names.filter((one) => one !== name);
                return isBusy ? [...others, name] : others;
              })
            }
            onCreate={(target, take) => setCreation({ target, take })}
          />
          {version === null ? null : <Facts record={version.record} />}
        </div>
      </div>
      {isCovered && changed.length === 0 ? null : (
        <SaveDock
          isBusy={save.isBusy}
          isUploading={busy.length > 0}
          changed={changed.length}
          isKept={draft.isKept}
          onSave={submit}
          onDiscard={discard}
        />
      )}
      <LeaveGuard
        changed={typed.length}
        isKept={draft.isKept && busy.length === 0}
        own={own}
        onDiscard={draft.drop}
      />
      {creation === null ? null : <CreateDrawer {...creation} onClose={() => setCreation(null)} />}
    </div>
  );
}
