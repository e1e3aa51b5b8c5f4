import type { Resource } from "../../../api/client/types.js";
import { things } from "../../../api/records/descriptors.js";
import type { Version } from "../../../api/records/records.js";
import { changeTime } from "../../../text/dates.js";
import { enRecord } from "../../../text/en/record.js";
import { Banner } from "./banner.js";
import type { Elsewhere } from "./use-elsewhere.js";

const text = enRecord;

export interface StripProps {
  readonly resource: Resource;
  readonly isChanged: boolean;
  readonly elsewhere: Elsewhere;
  readonly onAdopt: (version: Version) => void;
  readonly onCompare: (version: Version) => void;
  /** Opens a new record with the form's values; null if none may be created. */
  readonly onCreateAgain: (() => void) | null;
  /** Opens the record's history to restore the record; null if no history is recorded. */
  readonly onHistory: (() => void) | null;
  /** Null if the page already has a way back. */
  readonly onBack: (() => void) | null;
}

/**
 * Reports changes to the open record from elsewhere. The strip is below the scrolling part, because it appears
 * unexpectedly and must not shift what is under the pointer. The user decides what to do.
 */
export function Strip(props: StripProps) {
  const { resource, isChanged, elsewhere } = props;
  if (elsewhere.kind === "nothing") return null;
  return (
    <div className="strip">
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
            ...(props.onBack === null
              ? []
              : [{ label: text.backTo(things(resource)), onPress: props.onBack }]),
          ]}
        />
      ) : null}
    </div>
  );
}

/** When the version was saved and, if known, by whom. */
function savedText({ version, by }: Extract<Elsewhere, { kind: "saved" }>): string {
  const when = changeTime(version.record);
  if (by === null) return text.savedElsewhere(when);
  return by.isSelf ? text.savedByYou(when) : text.savedBy(by.name, when);
}
