import { useQueries } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useSession } from "../../api/account/session.js";
import { sentence } from "../../api/client/errors.js";
import type { Resource } from "../../api/client/types.js";
import { thing, things } from "../../api/records/descriptors.js";
import { recordLink } from "../../api/records/fields.js";
import { readRecord } from "../../api/records/records.js";
import { RecordInput } from "../../kinds/input/record.js";
import { Button } from "../../parts/button/button.js";
import { Dialog } from "../../parts/overlay/dialog.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { enMerging } from "../../text/en/conflict.js";
import { en } from "../../text/en/en.js";
import { Question } from "./question.js";

const text = enMerging;

export interface MergingProps {
  readonly resource: Resource;
  readonly id: string;
  /** The id of the second record; null if the user has yet to choose it. */
  readonly other: string | null;
  readonly onClose: () => void;
  /** Called after the merge; `id` is the record that was kept. */
  readonly onMerged: (id: string) => void;
}

/** Merges two records that represent the same thing. */
export default function Merging({ resource, id, other, onClose, onMerged }: MergingProps) {
  const { user } = useSession();
  const [chosen, setChosen] = useState(other ?? "");
  const picker = useId();
  const isPair = chosen !== "" && chosen !== id;
  const versions = useQueries({
    queries: (isPair ? [id, chosen] : []).map((one) => ({
      // A separate key, because the record's page keeps the version with which its form was opened.
      queryKey: [user.id, "merging", resource.name, one],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readRecord(resource.name, one, signal),
      gcTime: 0,
    })),
  });
  const [first, second] = versions.map(({ data }) => data);
  const failed = versions.find(({ isError }) => isError);
  const again = () => {
    for (const one of versions) void one.refetch();
  };
  return (
    <Dialog title={text.title(things(resource))} onClose={onClose} isAlert>
      {other === null ? (
        <RecordInput
          field={recordLink(resource, text.other(thing(resource)))}
          resource={resource}
          id={picker}
          value={chosen}
          error={chosen === id ? text.same : undefined}
          onChange={setChosen}
          onLeave={() => {}}
          related={null}
          isChanged={chosen !== ""}
          file={null}
          onBusy={() => {}}
          onCreate={null}
        />
      ) : null}
      {!isPair ? (
        <div className="actions">
          <Button onPress={onClose}>{en.common.cancel}</Button>
          <Button look="primary" barred={text.chooseFirst}>
            {text.button(things(resource))}
          </Button>
        </div>
      ) : failed !== undefined ? (
        <Failure text={sentence(failed.error)} onRetry={again} />
      ) : first === undefined || second === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <Question
          key={chosen}
          resource={resource}
          versions={[first, second]}
          onClose={onClose}
          onMerged={onMerged}
          onStale={again}
        />
      )}
    </Dialog>
  );
}
