import type { Field, Resource } from "../../../api/client/types.js";
import { things } from "../../../api/records/descriptors.js";
import type { Version } from "../../../api/records/records.js";
import type { Typed } from "../../../form/state.js";
import { relative } from "../../../text/dates.js";
import { enRecord } from "../../../text/en/record.js";
import { Banner } from "./banner.js";
import type { useDraft } from "./use-draft.js";
import type { Elsewhere } from "./use-elsewhere.js";

const text = enRecord;

export interface BannersProps {
  readonly resource: Resource;
  readonly fields: readonly Field[];
  readonly version: Version | null;
  readonly isChanged: boolean;
  readonly draft: ReturnType<typeof useDraft>;
  readonly elsewhere: Elsewhere;
  readonly onRestore: (draft: { before: Typed; mine: Typed }, etag: string | null) => void;
  readonly onAdopt: (version: Version) => void;
  readonly onCompare: (version: Version) => void;
  /** Opens a new record with what the form has; null where none may be created. */
  readonly onCreateAgain: (() => void) | null;
  /** Shows what happened to it, and the way back; null where no history is kept. */
  readonly onHistory: (() => void) | null;
  readonly onBack: () => void;
}

/** The messages above a form about what happened elsewhere; nothing is done without being asked. */
export function Banners(props: BannersProps) {
  const { resource, fields, isChanged, draft, elsewhere } = props;
  const { found } = draft;
  return (
    <>
      {found === null || isChanged ? null : (
        <Banner
          text={text.draftFound(relative(new Date(found.at).toISOString()))}
          actions={[
            {
              label: text.goOnWithDraft,
              onPress: () => {
                const known = fields.filter(({ name }) => found.fields[name] !== undefined);
                const side = (of: "before" | "mine") =>
                  Object.fromEntries(
                    known.map(({ name }) => [name, found.fields[name]?.[of] ?? ""] as const),
                  );
                props.onRestore({ before: side("before"), mine: side("mine") }, found.etag);
              },
            },
            { label: text.discardDraft, onPress: draft.drop },
          ]}
        />
      )}
      {elsewhere.kind === "saved" ? (
        <Banner
          text={savedText(elsewhere)}
          detail={isChanged ? text.yoursStays : undefined}
          actions={[
            isChanged
              ? { label: text.compare, onPress: () => props.onCompare(elsewhere.version) }
              : { label: text.showNew, onPress: () => props.onAdopt(elsewhere.version) },
          ]}
        />
      ) : null}
      {elsewhere.kind === "deleted" ? (
        <Banner
          text={text.deletedElsewhere}
          detail={isChanged ? text.yoursStays : undefined}
          actions={[
            ...(props.onHistory === null
              ? []
              : [{ label: text.seeHistory, onPress: props.onHistory }]),
            ...(props.onCreateAgain === null
              ? []
              : [{ label: text.createAgain, onPress: props.onCreateAgain }]),
            { label: text.backTo(things(resource)), onPress: props.onBack },
          ]}
        />
      ) : null}
    </>
  );
}

/** Who saved it, as far as that is known, and when. */
export function savedText({ version, by }: Extract<Elsewhere, { kind: "saved" }>): string {
  const when = relative(String(version.record.updatedAt));
  if (by === null) return text.savedElsewhere(when);
  return by.isSelf ? text.savedByYou(when) : text.savedBy(by.name, when);
}
