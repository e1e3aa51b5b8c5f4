import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../api/client/errors.js";
import type { Page, Row } from "../../../api/client/types.js";

export interface ListPage {
  /** Undefined until the first page is loaded. */
  readonly page: Page<Row> | undefined;
  /** When the page was loaded, in milliseconds since the epoch. */
  readonly loadedAt: number;
  /** Whether the page is not the one requested now. */
  readonly isOld: boolean;
}

/** The page that a list displays: the last loaded one if the server does not respond. */
export function useKeptPage(list: UseQueryResult<Page<Row>>): ListPage {
  const { data, dataUpdatedAt, isPlaceholderData, error } = list;
  const [kept, keep] = useState<ListPage | null>(null);
  if (data !== undefined && !isPlaceholderData) {
    if (kept?.page !== data || kept.loadedAt !== dataUpdatedAt) {
      keep({ page: data, loadedAt: dataUpdatedAt, isOld: true });
    }
  }
  if (data === undefined && kept !== null && isUnanswered(error)) return kept;
  return { page: data, loadedAt: dataUpdatedAt, isOld: isPlaceholderData };
}

/** Whether the request failed because of an outage, not because the API refused it. */
function isUnanswered(error: Error | null): boolean {
  return error !== null && !(error instanceof ApiError && error.status < 500);
}
