import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../parts/button/button.js";
import "../../parts/overlay/drawer.css";
import { Title } from "../../parts/page/page.js";
import { enAccounts, enRights } from "../../text/en/operators/accounts.js";
import { count } from "../../text/format.js";
import { AllTokens } from "./all-tokens.js";
import { Events } from "./events.js";
import { Invite } from "./invite.js";
import { AccountDrawer } from "./one/drawer.js";
import { People, type PeopleProps } from "./people.js";
import { Rights } from "./rights.js";
import "./screen.css";

const text = enAccounts;

export type AccountsView = "people" | "events" | "rights" | "tokens";

export interface AccountsProps {
  readonly view: AccountsView;
  /** The account that is open next to the list. */
  readonly id: string | null;
}

export default function Accounts({ view, id }: AccountsProps) {
  const [isInviting, setInviting] = useState(false);
  const head = ({ total, isBarred }: Parameters<PeopleProps["head"]>[0]) => (
    <>
      <div className="top">
        <div className="row">
          <Title>{text.title}</Title>
          {total === null ? null : <span className="count">{count(total)}</span>}
        </div>
        {isBarred ? null : (
          <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
            {text.invite}
          </Button>
        )}
      </div>
      <nav className="tabs" aria-label={text.title}>
        <Link href="/accounts" aria-current={view === "people" ? "page" : undefined}>
          {text.people}
        </Link>
        <Link href="/accounts/events" aria-current={view === "events" ? "page" : undefined}>
          {text.events}
        </Link>
        <Link href="/accounts/rights" aria-current={view === "rights" ? "page" : undefined}>
          {enRights.tab}
        </Link>
        <Link href="/accounts/tokens" aria-current={view === "tokens" ? "page" : undefined}>
          {enRights.tokensTab}
        </Link>
      </nav>
    </>
  );
  return (
    <div className="with-drawer">
      <div className="column">
        {view === "people" ? (
          <People chosen={id} head={head} />
        ) : (
          <div className="scroll">
            {view === "events" ? (
              <Events head={(isBarred) => head({ total: null, isBarred })} />
            ) : (
              head({ total: null, isBarred: true })
            )}
            {view === "rights" ? <Rights /> : null}
            {view === "tokens" ? <AllTokens /> : null}
          </div>
        )}
      </div>
      {id === null ? null : <AccountDrawer key={id} id={id} />}
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
    </div>
  );
}
