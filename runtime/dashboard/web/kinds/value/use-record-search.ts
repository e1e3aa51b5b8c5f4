import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { type FoundRecords, searchQuery } from "../../api/records/record-search.js";

/** Milliseconds after the last key before the server is asked. */
const pause = 200;

export interface RecordSearch {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** The term of the last request. */
  readonly term: string;
  readonly found: FoundRecords | undefined;
  /** While the records that are shown do not match what is typed. */
  readonly isLoading: boolean;
}

/**
 * A search for records of a resource, or for accounts, that asks the server for each term. Nothing is asked before
 * `isOpen`, when somebody sees what is found.
 */
export function useRecordSearch(name: string, isOpen: boolean): RecordSearch {
  const session = useSession();
  const resource = session.resources.find((one) => one.name === name);
  const [typed, setTyped] = useState("");
  const [term, setTerm] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setTerm(typed.trim()), pause);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useQuery({
    ...searchQuery(session, name, term ?? ""),
    enabled: isOpen && term !== null && (resource === undefined || may(resource, "list")),
    placeholderData: keepPreviousData,
  });
  return {
    typed,
    setTyped,
    term: term ?? "",
    found: found.data,
    isLoading: found.isLoading || found.isPlaceholderData || typed.trim() !== (term ?? ""),
  };
}
