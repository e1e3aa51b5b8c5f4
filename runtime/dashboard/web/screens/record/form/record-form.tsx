import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Field } from "../../../api/client/types.js";
import { hasHistory, listPath, may, recordPath } from "../../../api/records/descriptors.js";
import type { Around } from "../../../api/records/records.js";
import { letLeave } from "../../../browser/address/leaving.js";
import type { ConflictScreen } from "../../../form/versions.js";
import { Banners } from "../elsewhere/banners.js";
import { Strip } from "../elsewhere/strip.js";
import { Facts } from "../facts.js";
import { useFormKeys } from "../use-form-keys.js";
import { CreateDrawer, type Creation } from "./drawer/create-drawer.js";
import { focusField } from "./fields.js";
import { FormBody } from "./form-body.js";
import { LeaveGuard } from "./leave.js";
import { LineRows } from "./lines/line-rows.js";
import { useLines } from "./lines/use-lines.js";
import { newPath } from "./new-fields.js";
import { refusalText } from "./refusal.js";
import { SaveDock } from "./save-dock.js";
import { type FormOptions, useForm } from "./use-form.js";

export interface RecordFormProps extends Omit<FormOptions, "lines"> {
  /** Fields that are displayed read-only. */
  readonly fixed: readonly Field[];
  readonly head: ReactNode;
  readonly links: Around["links"];
  /** Content that covers the form; the save bar stays while there are unsaved changes. */
  readonly cover: ReactNode;
  /** Called when the form has something to show. */
  readonly onUncover: () => void;
  /** Called to replace the form with the page of a deleted record. */
  readonly onGone: () => void;
  readonly Conflict: ConflictScreen;
}

/** The page of a form, which never loses input. While two versions have to be merged, it shows the merge instead. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form, whose parts share its state
export function RecordForm(props: RecordFormProps) {
  const { resource, fields, links, head, cover, Conflict } = props;
  const id = useId();
  const [, go] = useLocation();
  const lines = useLines(resource);
  const form = useForm({ ...props, lines });
  const hasLines = lines.pending.length > 0;
  const { version, versions, state, tries, changed, draft, submit } = form;
  const [creation, setCreation] = useState<Creation | null>(null);
  const isCovered = cover !== null;
  const uncover = useRef<(() => void) | null>(null);
  uncover.current = isCovered ? props.onUncover : null;
  // Uncovers the form, which displays the problem.
  useEffect(() => {
    if (tries > 0) uncover.current?.();
  }, [tries]);
  const [first] = fields;
  const edit = () => {
    if (first !== undefined) focusField(id, first);
  };
  useFormKeys(submit, edit);
  const isNew = version === null;
  useEffect(() => {
    // On phones the keyboard would cover the page's heading.
    if (!isNew || first === undefined || matchMedia("(pointer: coarse)").matches) return;
    focusField(id, first);
  }, [isNew, id, first]);

  if (versions !== null) {
    const { theirs } = versions;
    return (
      <Conflict
        key={theirs.etag}
        resource={resource}
        fields={fields}
        versions={versions}
        isBusy={form.isSaving}
        refused={tries === 0 ? null : refusalText(form.refusal)}
        onSave={(merged, kept) => form.saveMerged(theirs, merged, kept)}
        onBack={() => form.setVersions(null)}
        onDiscard={() => form.adopt(theirs)}
      />
    );
  }
  const createAgain = () => {
    letLeave();
    go(newPath(resource, state.mine));
  };
  const banners = (
    <Banners
      fields={fields}
      isChanged={changed.length > 0}
      draft={draft}
      onRestore={form.restore}
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
          <div className="stack far">
            <FormBody
              id={id}
              resource={resource}
              fields={fields}
              fixed={props.fixed}
              version={version}
              state={state}
              links={links}
              refusal={form.refusal}
              tries={tries}
              isCovered={isCovered}
              banners={banners}
              onAct={form.act}
              onSubmit={() => submit({ continues: false })}
              onRetry={form.retry}
              onBusy={form.onBusy}
              onCreate={(target, take, term) => setCreation({ target, take, term })}
            />
            {lines.inverses.map((inverse) => (
              <LineRows
                key={inverse.name}
                resource={resource}
                id={version?.record.id ?? null}
                inverse={inverse}
                lines={lines}
              />
            ))}
          </div>
          {version === null ? null : <Facts record={version.record} />}
        </div>
      </div>
      <Strip
        resource={resource}
        isChanged={changed.length > 0}
        elsewhere={form.elsewhere}
        onAdopt={form.adopt}
        onCompare={(theirs) => {
          form.setVersions({ before: state.before, theirs, mine: state.mine });
        }}
        onCreateAgain={may(resource, "create") ? createAgain : null}
        onHistory={hasHistory(resource) ? props.onGone : null}
        onBack={() => go(listPath(resource))}
      />
      {isCovered && changed.length === 0 && !hasLines ? null : (
        <SaveDock
          isBusy={form.isSaving}
          isUploading={form.isUploading}
          changed={changed.length}
          lines={lines.pending.length}
          isKept={draft.isKept}
          onSave={submit}
          onDiscard={form.discard}
        />
      )}
      <LeaveGuard
        changed={form.typed.length + lines.pending.length}
        isKept={draft.isKept && !form.isUploading && !hasLines}
        own={own}
        onDiscard={draft.drop}
      />
      {creation === null ? null : <CreateDrawer {...creation} onClose={() => setCreation(null)} />}
    </div>
  );
}
