/** The search, filters and page of the account list. The page's address encodes them as the API's query parameters. */
export interface PeopleQuery {
  /** The search term as typed. */
  readonly q: string;
  /** Null for any role; empty for accounts without a role. */
  readonly role: string | null;
  readonly disabled: "true" | "false" | null;
  readonly page: number;
}

/** Parses an address; unknown and invalid parts are ignored. */
export function readPeople(search: URLSearchParams): PeopleQuery {
  const page = Number(search.get("page") ?? 1);
  const disabled = search.get("filter[disabled]");
  return {
    q: search.get("q") ?? "",
    role: search.get("filter[role]"),
    disabled: disabled === "true" || disabled === "false" ? disabled : null,
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
  };
}

/** The query string of the address and of the request; defaults are omitted. */
export function printPeople({ q, role, disabled, page }: PeopleQuery): string {
  return new URLSearchParams({
    ...(q === "" ? {} : { q }),
    ...(role === null ? {} : { "filter[role]": role }),
    ...(disabled === null ? {} : { "filter[disabled]": disabled }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
}
