import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../api/account/session.js";
import { call } from "../../api/client/client.js";
import { isStatus } from "../../api/client/errors.js";
import type { Field, Resource } from "../../api/client/types.js";
import { useWrite } from "../../api/client/writes.js";
import { may } from "../../api/records/descriptors.js";
import { dependantsQuery, forgetLists, linksTo, type Version } from "../../api/records/records.js";
import { draftName, forgetDraft } from "../../browser/storage/drafts.js";
import { forgetInList } from "../../browser/storage/neighbours.js";
import { forgetOpened } from "../../browser/storage/recent.js";
import { type Dependant, keeps, type LinkHere, mayCount } from "../dependants.js";
import { bodyOf, typedOf } from "../state.js";
import { useHandOver } from "./hand-over.js";

export interface MergingOptions {
  readonly resource: Resource;
  readonly kept: Version;
  /** The record whose links move to the kept one, and which is then deleted. */
  readonly other: Version;
  /** The fields whose values the kept record takes from the other one. */
  readonly taken: readonly Field[];
  readonly onMerged: () => void;
  /** Called if one of the records was changed elsewhere. */
  readonly onStale: () => void;
}

/**
 * Merges a record into another: its links are moved in batches. Then, in one transaction, the kept record's own links to it
 * are removed, it is deleted, and the kept record gets its values, so that unique values can move.
 */
export function useMerging({ resource, kept, other, taken, onMerged, onStale }: MergingOptions) {
  const { user, resources } = useSession();
  const client = useQueryClient();
  const { id } = other.record;
  const links = linksTo(resources, resource);
  const totals = useQueries({
    queries: links.map((link) => ({
      ...dependantsQuery(user.id, link, id),
      enabled: mayCount(link),
    })),
  });
  const found = links
    .map((link, at): Dependant => ({ ...link, total: totals[at]?.data }))
    .filter(({ total = 0 }) => total > 0);
  const own = found.filter((one) => isOwn(one, { resource, kept, other }));
  const movable = found
    .filter((one) => canMove(one))
    .map((one) => (own.includes(one) ? { ...one, total: (one.total ?? 0) - 1 } : one))
    .filter(({ total }) => total !== 0);
  const total = movable.reduce((sum, one) => sum + (one.total ?? 0), 0);
  const finish = useWrite({
    run: (operations: readonly object[], idempotencyKey) =>
      call<unknown>("POST", "/_service/batch", { body: { operations }, idempotencyKey }),
    onRefused: (error) => {
      for (const [at, link] of links.entries()) if (mayCount(link)) void totals[at]?.refetch();
      if (isStatus(error, 412)) onStale();
    },
    onDone: () => {
      forgetDraft(draftName(user.id, resource.name, id));
      forgetOpened(user.id, id);
      forgetInList(user.id, resource.name, id);
      forgetLists(client, { account: user.id, resources, resource });
      onMerged();
    },
  });
  const sendFinish = () => finish.send(finishing({ resource, kept, other, taken }));
  const handOver = useHandOver(id, movable, {
    total,
    onEnded: ({ kind, refused }) => {
      if (kind === "running" && refused.length === 0) sendFinish();
      else for (const [at, link] of links.entries()) if (mayCount(link)) void totals[at]?.refetch();
    },
  });
  const { progress } = handOver;
  const hasRefused = progress?.kind === "ended" && progress.refused.length > 0;
  return {
    handOver,
    finish,
    movable,
    /**
     * The records that stay linked to the other record: they prevent its deletion, are deleted too, or lose their link.
     */
    staying: hasRefused
      ? found
      : found.flatMap((one) => {
          if (!canMove(one)) return [one];
          return own.includes(one) && keeps(one.field) ? [{ ...one, total: 1 }] : [];
        }),
    isCounting: totals.some(({ isLoading }) => isLoading),
    hasRefused,
    start: () => {
      if (total > 0 && !hasRefused) handOver.start(kept.record.id);
      else sendFinish();
    },
  };
}

type Merged = Pick<MergingOptions, "resource" | "kept" | "other" | "taken">;

/** Returns the operations of the last step. */
function finishing({ resource, kept, other, taken }: Merged): readonly object[] {
  const { id } = other.record;
  const update = { update: resource.name, id: kept.record.id };
  const cleared = resource.fields.filter(
    (field) =>
      isOwn({ resource, field }, { resource, kept, other }) &&
      canMove({ resource, field }) &&
      !keeps(field),
  );
  const values = Object.fromEntries(
    cleared.map(({ name, links }) => [name, links === undefined ? null : { remove: [id] }]),
  );
  return [
    ...(cleared.length === 0 ? [] : [{ ...update, values, ifMatch: kept.etag }]),
    { delete: resource.name, id, ifMatch: other.etag },
    ...(taken.length === 0
      ? []
      : [
          {
            ...update,
            values: bodyOf(taken, typedOf(taken, other.record)),
            // The first operation has checked the version, and changed it.
            ...(cleared.length === 0 ? { ifMatch: kept.etag } : {}),
          },
        ]),
  ];
}

/** Whether the kept record itself has this link to the other one. */
function isOwn(link: LinkHere, { resource, kept, other }: Omit<Merged, "taken">): boolean {
  return (
    link.resource.name === resource.name &&
    link.field.resource === resource.name &&
    [kept.record[link.field.name]].flat().includes(other.record.id)
  );
}

export function prevents({ field, total = 0 }: Dependant): boolean {
  return keeps(field) && total > 0;
}

function canMove({ resource, field }: LinkHere): boolean {
  return may(resource, "update") && field.writable !== false;
}
