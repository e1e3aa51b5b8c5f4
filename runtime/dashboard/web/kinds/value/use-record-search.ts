import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../../api/account/session.js";
import { may } from "../../api/records/descriptors.js";
import { type FoundRecords, searchQuery } from "../../api/records/record-search.js";

/** Milliseconds between the last keystroke and the request. */
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
  readonly name: string;
  readonly isOpen: boolean;
}

/**
 * Searches records of a resource, or accounts, with one request per term. Nothing is requested until `isOpen` is true.
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
