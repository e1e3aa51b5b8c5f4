import type { Field } from "../../../api/client/types.js";
import type { Typed } from "../../../form/state.js";
import { relative } from "../../../text/dates.js";
import { enRecord } from "../../../text/en/record.js";
import { Banner } from "./banner.js";
import type { useDraft } from "./use-draft.js";

const text = enRecord;

export interface BannersProps {
  readonly fields: readonly Field[];
  readonly isChanged: boolean;
  readonly draft: ReturnType<typeof useDraft>;
  readonly onRestore: (draft: { before: Typed; mine: Typed }, etag: string | null) => void;
}

/** The message about a draft above a form; the user decides what to do with it. */
export function Banners(props: BannersProps) {
  const { fields, isChanged, draft } = props;
  const { found } = draft;
  if (found === null || isChanged) return null;
  return (
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
  );
}
