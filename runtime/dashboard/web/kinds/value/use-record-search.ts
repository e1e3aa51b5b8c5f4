import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { type FoundRecords, searchQuery } from "../../api/records/record-search.js";

/** Milliseconds after the last key before a request. */
const pause = 200;

export interface RecordSearch {
  readonly typed: string;
  readonly setTyped: (typed: string) => void;
  /** The term of the last request. */
  readonly term: string;
  readonly found: FoundRecords | undefined;
  /** Whether the displayed records do not match the typed text yet. */
  readonly isLoading: boolean;
}

interface SearchOptions {
  /** The name of the resource. */
  readonly name: string;
  readonly isOpen: boolean;
}

/**
 * A search for records of a resource, or for accounts, with a request for each term. Nothing is requested before
 * `isOpen`.
 */
export function useRecordSearch({ name, isOpen }: SearchOptions): RecordSearch {
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
