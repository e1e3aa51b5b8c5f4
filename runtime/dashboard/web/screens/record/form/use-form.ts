import { useReducer, useRef, useState } from "react";
import type { Field, Resource } from "../../../api/client/types.js";
import type { Version } from "../../../api/records/records.js";
import {
  bodyOf,
  changedFields,
  formReducer,
  hopelessFields,
  newBodyOf,
  openForm,
  type Typed,
  typedOf,
} from "../../../form/state.js";
import type { Versions } from "../../../form/versions.js";
import { useToast } from "../../../parts/overlay/toast.js";
import { enRecord } from "../../../text/en/record.js";
import { useDraft } from "../elsewhere/use-draft.js";
import { useElsewhere } from "../elsewhere/use-elsewhere.js";
import type { Lines } from "./lines/use-lines.js";
import { lineProblems, metLine } from "./lines/write.js";
import { noRefusal, type Refusal, readRefusal } from "./refusal.js";
import { type Saving, useSave } from "./use-save.js";
import { useUploading } from "./use-uploading.js";

export interface Saved {
  readonly version: Version;
  /** The save sent; null if there was nothing to send. */
  readonly saving: Saving | null;
  /** The operations that undo a batch; null if it cannot be undone. */
  readonly undoing: readonly object[] | null;
  /** Whether the user continues with another record. */
  readonly continues: boolean;
}

export interface FormOptions {
  readonly resource: Resource;
  readonly fields: readonly Field[];
  /** The record as opened; null for a new one. */
  readonly version: Version | null;
  readonly start: Typed;
  /** Initial values that count as changes. */
  readonly given: Typed;
  /** The rows below the record, which are saved together with it. */
  readonly lines: Lines;
  /** The name of the form's draft. */
  readonly draft: string;
  readonly onSaved: (saved: Saved) => void;
  /** Called when the form continues with the version of another account. */
  readonly onAdopted: (version: Version) => void;
}

/** The state and actions of a form: changes are stored as a draft, and no other version is overwritten. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose events share its state
export function useForm(options: FormOptions) {
  const { resource, fields, start, given, lines, onSaved, onAdopted } = options;
  const toast = useToast();
  const [version, setVersion] = useState(options.version);
  const [known, setKnown] = useState(options.version);
  const [state, act] = useReducer(formReducer, null, () => openForm(start, { ...start, ...given }));
  const [refusal, setRefusal] = useState<Refusal>(noRefusal);
  const [tries, setTries] = useState(0);
  const [versions, setVersions] = useState<Versions | null>(null);
  const { isUploading, onBusy } = useUploading();
  const [elsewhere, setElsewhere] = useElsewhere(resource, version);
  const { before, mine } = state;
  const opened = version === null ? { ...start, ...given } : before;
  const etag = version?.etag ?? null;
  const draft = useDraft({ name: options.draft, etag, fields, before, opened, mine });
  const changed = changedFields(fields, before, mine);
  const last = useRef<Saving | null>(null);
  // The record was written outside the form, by an undo; later input stays.
  if (options.version !== known) {
    setKnown(options.version);
    if (options.version !== null && version !== null && options.version.etag !== version.etag) {
      setVersion(options.version);
      const record = typedOf(fields, options.version.record);
      act({ kind: "saved", record, sent: before });
    }
  }

  const clear = () => {
    setRefusal(noRefusal);
    setTries(0);
  };
  const refuse = (next: Refusal) => {
    setRefusal(next);
    setTries((count) => count + 1);
  };
  const adopt = (next: Version) => {
    draft.drop();
    setVersion(next);
    const theirs = typedOf(fields, next.record);
    act({ kind: "restored", before: theirs, mine: theirs });
    setElsewhere({ kind: "nothing" });
    setVersions(null);
    clear();
    onAdopted(next);
  };
  const save = useSave({
    resource,
    attempt: draft.attempt,
    onAttempt: draft.onAttempt,
    onSaved: ({ version: next, undoing }, saving) => {
      draft.drop();
      lines.act({ kind: "saved", keys: saving.lines.map(({ key }) => key) });
      setVersion(next);
      act({ kind: "saved", record: typedOf(fields, next.record), sent: saving.mine });
      setVersions(null);
      clear();
      onSaved({ version: next, saving, undoing, continues: saving.continues });
    },
    onMet: (theirs, saving) => {
      // If the saved record is the result of a merge, the version that it was merged with is the base of the next merge.
      const former = saving.base === null ? before : typedOf(fields, saving.base.record);
      setElsewhere({ kind: "saved", version: theirs, by: null });
      setVersions({ before: former, theirs, mine: saving.mine });
    },
    onGone: () => setElsewhere({ kind: "deleted" }),
    onRefused: (error, saving) => {
      const together = { resource, etag: null, ...saving };
      const problems = lineProblems(error, together);
      if (problems !== null) {
        lines.act({ kind: "refused", problems });
        void metLine(error, together).then((met) => {
          if (met !== null) lines.act({ kind: "rebased", ...met });
        });
        refuse({ kind: "refused", messages: [enRecord.linesRefused] });
        return;
      }
      const read = readRefusal(error, fields, resource.unique);
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
      act({ kind: "refused", fields: read.fields, together: read.together });
      refuse(read.refusal);
    },
  });
  const send = (saving: Saving) => {
    last.current = saving;
    save.send(saving);
  };
  const submit = ({ continues }: { readonly continues: boolean }) => {
    if (isUploading || save.isBusy) return;
    act({ kind: "checked", fields: fields.map(({ name }) => name) });
    if (hopelessFields(version === null ? fields : changed, mine).length > 0) {
      refuse(noRefusal);
      return;
    }
    if (version !== null && changed.length === 0 && lines.pending.length === 0) {
      if (continues) onSaved({ version, saving: null, undoing: null, continues });
      else toast(enRecord.nothingChanged);
      return;
    }
    const body = version === null ? newBodyOf(fields, mine) : bodyOf(changed, mine);
    const sent = version === null ? fields : changed;
    send({ body, fields: sent, mine, base: version, lines: lines.pending, continues });
  };
  return {
    version,
    state,
    act,
    refusal,
    /** The number of failed attempts to save. */
    tries,
    /** The versions to merge before the record can be saved. */
    versions,
    setVersions,
    elsewhere,
    draft,
    changed,
    /** Empty for an unchanged form: initial values are not the user's input. */
    typed: changed.length === 0 ? [] : changedFields(fields, opened, mine),
    isSaving: save.isBusy,
    isUploading,
    adopt,
    submit,
    /** Sends the same body with the same key, unless the input has changed. */
    retry: () => {
      if (last.current?.mine === mine && last.current.lines === lines.pending) send(last.current);
      else submit({ continues: last.current?.continues ?? false });
    },
    saveMerged: (theirs: Version, merged: Typed, kept: readonly Field[]) => {
      if (kept.length === 0) adopt(theirs);
      else {
        const body = bodyOf(kept, merged);
        send({
          body,
          fields: kept,
          mine: merged,
          base: theirs,
          lines: lines.pending,
          continues: false,
        });
      }
    },
    discard: () => {
      draft.drop();
      act({ kind: "discarded" });
      lines.act({ kind: "discarded" });
      clear();
    },
    restore: (kept: { readonly before: Typed; readonly mine: Typed }, of: string | null) => {
      draft.take();
      const now = { before: { ...before, ...kept.before }, mine: { ...before, ...kept.mine } };
      if (version !== null && of !== version.etag) {
        setVersions({ before: now.before, theirs: version, mine: now.mine });
      } else act({ kind: "restored", before, mine: now.mine });
    },
    onBusy,
  };
}
