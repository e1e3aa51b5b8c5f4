import { useEffect } from "react";
import { openStream } from "../../../api/changes/stream.js";
import { titleField } from "../../../api/records/descriptors.js";
import { id } from "../../../api/records/fields.js";
import { useGathered } from "../live/gathered.js";
import { watchedBy } from "../live/watched.js";
import { useStableCallbacks } from "../stable-callbacks.js";
import { withinDays } from "./placed.js";
import type { CalendarDays, DaysRead } from "./use-days.js";

/** Subscribes to changes of a calendar's days while they are shown. */
export function useLive(
  { resource, listing, field, days }: CalendarDays,
  { found, renew }: Pick<DaysRead, "found" | "renew">,
): void {
  const renewSoon = useGathered(renew);
  const conditions = [...listing.conditions, ...withinDays(field, days)];
  const columns = { title: titleField(resource) ?? id, picture: null, rest: [field] };
  const watch = { [resource.name]: watchedBy(resource, { ...listing, conditions }, columns) };
  const isShown = found.data !== undefined && !found.isPlaceholderData;
  const position = isShown ? (found.data?.position ?? null) : null;
  const followed = position === null ? null : JSON.stringify(watch);
  const on = useStableCallbacks({
    changes: (changes: readonly { readonly id: string }[]) =>
      renewSoon(changes.map((change) => change.id)),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days have another stream; these continue theirs
  useEffect(() => {
    if (followed === null) return;
    return openStream({
      watch,
      after: position,
      onChanges: on.changes,
      onReset: async () => (await found.refetch()).data?.position ?? null,
    });
  }, [followed]);
}
