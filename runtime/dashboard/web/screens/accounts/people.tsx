import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useSearchParams } from "wouter";
import { accountsQuery } from "../../api/account/queries.js";
import { useSession } from "../../api/account/session.js";
import { isStatus, sentence } from "../../api/client/errors.js";
import { Button } from "../../parts/button/button.js";
import { Choice } from "../../parts/form/choice.js";
import { SearchField } from "../../parts/form/search-field.js";
import { Failure, Skeleton } from "../../parts/page/page.js";
import { Pager } from "../../parts/page/pager.js";
import { enAccounts } from "../../text/en/operators/accounts.js";
import { type PeopleQuery, printPeople, readPeople } from "./people-address.js";
import { PeopleRows } from "./people-rows.js";

const text = enAccounts;
const perPage = 25;

/** The select's option for no filter. */
const any = "any";

const everybody: PeopleQuery = { q: "", role: null, disabled: null, page: 1 };

export interface PeopleProps {
  /** The account that is open next to the list. */
  readonly chosen: string | null;
  readonly head: (known: {
    readonly total: number | null;
    readonly isBarred: boolean;
  }) => ReactNode;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one page, whose parts share its address
export function People({ chosen, head }: PeopleProps) {
  const { user } = useSession();
  const [search] = useSearchParams();
  const [path, go] = useLocation();
  const listing = readPeople(search);
  const ask = (next: Partial<PeopleQuery>, options?: { readonly replace: boolean }) => {
    const query = printPeople({ ...listing, page: 1, ...next });
    go(query === "" ? path : `${path}?${query}`, options);
  };
  const query = printPeople({ ...listing, q: listing.q.trim() });
  const accounts = useQuery(
    accountsQuery(user.id, `perPage=${perPage}${query === "" ? "" : `&${query}`}`),
  );
  const list = accounts.data?.data ?? [];
  const roles = [...new Set([user.role, listing.role, ...list.map(({ role }) => role)])].filter(
    (role) => role !== null && role !== "",
  );
  const isBarred = isStatus(accounts.error, 403) || isStatus(accounts.error, 404);
  const isNarrowed = printPeople({ ...listing, page: 1 }) !== "";
  return (
    <>
      <div className="scroll">
        {head({ total: accounts.data?.meta.total ?? null, isBarred })}
        {isBarred ? null : (
          <div className="tools">
            <SearchField
              label={text.search}
              placeholder={text.searchFor}
              value={listing.q}
              onChange={(q) => ask({ q }, { replace: true })}
            />
            <Choice
              label={text.role}
              isLabelHidden
              value={listing.role ?? any}
              onChange={(role) => ask({ role: role === any ? null : role })}
              options={[
                { value: any, label: text.roleIs(text.any) },
                { value: "", label: text.roleIs(text.noRole) },
                ...roles.map((role) => ({ value: role ?? "", label: text.roleIs(role ?? "") })),
              ]}
            />
            <Choice
              label={text.state}
              isLabelHidden
              value={listing.disabled ?? any}
              onChange={(chosenState) => ask({ disabled: stateOf(chosenState) })}
              options={[
                { value: any, label: text.stateIs(text.any) },
                { value: "false", label: text.stateIs(text.active) },
                { value: "true", label: text.stateIs(text.disabled) },
              ]}
            />
          </div>
        )}
        {accounts.isPending || accounts.isError ? (
          <div className="content">
            {accounts.isPending ? (
              <Skeleton lines={8} />
            ) : isBarred ? (
              <p className="muted">{text.forbidden}</p>
            ) : (
              <Failure text={sentence(accounts.error)} onRetry={() => void accounts.refetch()} />
            )}
          </div>
        ) : null}
        {accounts.isSuccess && list.length === 0 ? (
          <div className="content">
            <p className="muted">{text.none}</p>
            {isNarrowed ? (
              <div>
                <Button onPress={() => ask(everybody)}>{text.showAll}</Button>
              </div>
            ) : null}
          </div>
        ) : null}
        {list.length === 0 ? null : <PeopleRows accounts={list} chosen={chosen} />}
      </div>
      {accounts.data === undefined || accounts.data.meta.total === 0 ? null : (
        <Pager
          page={listing.page}
          perPage={perPage}
          total={accounts.data.meta.total}
          onPage={(page) => ask({ page })}
        />
      )}
    </>
  );
}

function stateOf(value: string): PeopleQuery["disabled"] {
  return value === "true" || value === "false" ? value : null;
}
