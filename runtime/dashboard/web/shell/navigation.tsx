import { type KeyboardEvent, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { foldText } from "../../../values/text.js";
import { useSession } from "../api/account/session.js";
import type { Resource } from "../api/client/types.js";
import { may } from "../api/records/descriptors.js";
import "./navigation.css";
import { toggled, useNavigationState } from "../browser/storage/navigation-state.js";
import { Icon } from "../parts/button/icon.js";
import { en } from "../text/en/en.js";
import { NavigationGroup } from "./navigation-group.js";
import { usePlacesKept } from "./use-places-kept.js";

const text = en.frame;

/** With more resources than this, the list can be filtered, pinned and collapsed. */
const manyResources = 12;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one list, whose groups share its filter
export function Navigation() {
  const { user, resources, operator, parts } = useSession();
  const [state, setState] = useNavigationState(user.id);
  const [wanted, setWanted] = useState("");
  const [path] = useLocation();
  const filter = useRef<HTMLInputElement>(null);
  const term = foldText(wanted.trim());
  const shown = resources
    .filter((one) => may(one, "list"))
    .filter(({ label }) => foldText(label).includes(term));
  const isMany = resources.length > manyResources;
  const current = (href: string) =>
    path === href || (href !== "/" && path.startsWith(`${href}/`)) ? ("page" as const) : undefined;
  const pinned = isMany
    ? state.pins.flatMap((pin) => shown.filter(({ name }) => name === pin))
    : [];
  const list = useRef<HTMLDivElement>(null);
  const notePlaces = usePlacesKept(list, state.pins);
  const onPin = isMany
    ? (name: string) => {
        notePlaces(name);
        setState({ ...state, pins: toggled(state.pins, name) });
      }
    : null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "/" || !isMany || event.target === filter.current) return;
    event.preventDefault();
    filter.current?.focus();
  };
  return (
    <>
      <nav className="nav resources" aria-label={text.resources} onKeyDown={onKeyDown}>
        <ul>
          <li>
            <Link href="/" aria-current={current("/")}>
              <Icon name="home" />
              {text.home}
            </Link>
          </li>
        </ul>
        {isMany ? (
          <input
            ref={filter}
            className="input"
            type="search"
            aria-label={text.filter}
            aria-keyshortcuts="/"
            placeholder={text.filter}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        ) : null}
        <div ref={list} className="groups">
          {pinned.length === 0 ? null : (
            <NavigationGroup
              name={text.pinned}
              members={pinned}
              current={current}
              pins={state.pins}
              onPin={onPin}
            />
          )}
          {groupsOf(shown, pinned).map(([group, members]) => (
            <NavigationGroup
              key={group}
              name={group}
              members={members}
              current={current}
              pins={state.pins}
              onPin={onPin}
              // While filtering, matches in collapsed groups are shown too.
              isFolded={term === "" && isMany && state.folded.includes(group)}
              onFold={
                isMany && group !== "" && term === ""
                  ? () => setState({ ...state, folded: toggled(state.folded, group) })
                  : null
              }
            />
          ))}
          {shown.length === 0 && term !== "" ? (
            <p className="small muted" role="status">
              {text.jumpNone(wanted)}
            </p>
          ) : null}
        </div>
      </nav>
      {operator ? (
        <nav className="nav" aria-label={text.administration}>
          <ul>
            <li>
              <Link href="/accounts" aria-current={current("/accounts")}>
                <Icon name="shield" />
                {text.accounts}
              </Link>
            </li>
            {parts.includes("jobs") ? (
              <li>
                <Link href="/jobs" aria-current={current("/jobs")}>
                  <Icon name="clock" />
                  {text.jobs}
                </Link>
              </li>
            ) : null}
            {parts.includes("webhooks") ? (
              <li>
                <Link href="/webhooks" aria-current={current("/webhooks")}>
                  <Icon name="out" />
                  {text.webhooks}
                </Link>
              </li>
            ) : null}
            <li>
              <Link href="/activity" aria-current={current("/activity")}>
                <Icon name="list" />
                {text.activity}
              </Link>
            </li>
            <li>
              <Link href="/status" aria-current={current("/status")}>
                <Icon name="eye" />
                {text.status}
              </Link>
            </li>
          </ul>
        </nav>
      ) : null}
    </>
  );
}

/** The groups in their fixed order, with the resources that are not pinned. */
function groupsOf(
  resources: readonly Resource[],
  pinned: readonly Resource[],
): readonly (readonly [string, readonly Resource[]])[] {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    const { group = "" } = resource;
    const members = groups.get(group) ?? [];
    groups.set(group, pinned.includes(resource) ? members : [...members, resource]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .sort(([one], [other]) => Number(one !== "") - Number(other !== ""));
}
