import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Page, Resource, Row } from "../../../api/client/types.js";
import { streamsChanges } from "../../../api/records/descriptors.js";
import { Boundary } from "../../../parts/page/page.js";
import { screen } from "../../../parts/page/screen.js";
import type { ListState } from "../list-state.js";
import type { Marks } from "../rows/rows.js";
import type { LivingProps } from "./living.js";
import "./arrived.css";

const Living = screen<LivingProps>(() => import("./living.js"), null);

export interface FollowedProps {
  readonly resource: Resource;
  readonly state: ListState;
  /** The displayed page; undefined while it is not the requested one. */
  readonly page: Page<Row> | undefined;
  readonly list: UseQueryResult<Page<Row>>;
  readonly onMarks: (marks: Marks) => void;
  /** Goes to the beginning of the list. */
  readonly onTop: () => void;
  /** Content next to the number of new records. */
  readonly children: ReactNode;
}

/** The line above a list with live updates. If the stream is unavailable, the list works as usual. */
export function Followed({ resource, state, page, list, onMarks, onTop, children }: FollowedProps) {
  const { query } = state;
  const [followed, follow] = useState<string | null>(null);
  // A page that is loading is followed from its own position.
  if (page !== undefined && !list.isFetching && followed !== query) follow(query);
  if (!streamsChanges(resource)) return children;
  return (
    <div className="with-arrived">
      {children}
      {page?.meta.position === undefined || followed !== query ? null : (
        <Boundary instead={() => null}>
          <Living
            key={query}
            resource={resource}
            listing={state.listing}
            columns={state.columns}
            query={query}
            page={page}
            isFetching={list.isFetching}
            isFailed={list.isError}
            onMarks={onMarks}
            onReload={async () => (await list.refetch()).data?.meta.position ?? null}
            onShow={() => {
              onTop();
              void list.refetch();
            }}
          />
        </Boundary>
      )}
    </div>
  );
}
