import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { meQuery, resourcesQuery } from "../api/account/queries.js";
import { SessionContext } from "../api/account/session.js";
import { callWhile } from "../api/client/client.js";
import { isStatus, sentence } from "../api/client/errors.js";
import type { Me, Resource } from "../api/client/types.js";
import { viewing } from "../api/client/viewing.js";
import { withIdTypes, withLinkedFields, withNaming } from "../api/records/naming.js";
import { here, leaveTo, signInPath } from "../browser/address/address.js";
import { rememberUse } from "../browser/storage/recent.js";
import { isTakenFrom, noteAccount, watchAccount } from "../browser/storage/tabs.js";
import type { ConflictProps } from "../form/versions.js";
import { ToastRoom } from "../parts/overlay/toast.js";
import { lazyPart } from "../parts/page/lazy-part.js";
import { appName, Boundary, Failure, SignedOutPage, Waiting } from "../parts/page/page.js";
import { screen } from "../parts/page/screen.js";
import { SignInAgain } from "../sign-in/again.js";
import { Frame, preloadLayers } from "./frame.js";
import { OfResource } from "./of-resource.js";

const Home = screen(() => import("../screens/home/screen.js"));
const List = screen(() => import("../screens/list/screen.js"));
const Charts = screen(() => import("../screens/charts/screen.js"));
const RecordScreen = screen(() => import("../screens/record/screen.js"));
const Conflict = lazyPart<ConflictProps>({
  load: () => import("../screens/conflict/screen.js"),
  leave: ({ onBack }) => onBack(),
  waiting: <Waiting />,
});
const Api = screen(() => import("../screens/api/screen.js"));
const Import = screen(() => import("../screens/import/screen.js"));
const Trash = screen(() => import("../screens/trash/screen.js"));
const Account = screen(() => import("../screens/account/screen.js"));
const Accounts = screen(() => import("../screens/accounts/screen.js"));
const Jobs = screen(() => import("../screens/jobs/screen.js"));
const Activity = screen(() => import("../screens/activity/screen.js"));
const Status = screen(() => import("../screens/status/screen.js"));
const Webhooks = screen(() => import("../screens/webhooks/screen.js"));
const Viewed = screen(() => import("./viewed/viewed.js"));
const Missing = screen(() => import("../screens/missing/screen.js"));

/** The parts of an address. */
interface Params {
  readonly resource?: string;
  readonly id?: string;
  readonly tab?: string;
}

interface ResourceScreen {
  readonly path: string;
  readonly preload: () => void;
  readonly show: (resource: Resource, params: Params) => ReactNode;
}

/** The screens of a resource by path; the first match is used. */
const resourceScreens: readonly ResourceScreen[] = [
  ofAll("", List),
  ofAll("/charts", Charts),
  ofAll("/trash", Trash),
  ofAll("/import", Import),
  ofAll("/api", Api),
  {
    path: "/data/:resource/new",
    preload: RecordScreen.preload,
    show: (resource) => (
      <RecordScreen resource={resource} id={null} tab={null} Conflict={Conflict} />
    ),
  },
  {
    path: "/data/:resource/:id/:tab?",
    preload: RecordScreen.preload,
    show: (resource, { id = null, tab = null }) => (
      <RecordScreen resource={resource} id={id} tab={tab} Conflict={Conflict} />
    ),
  },
];

/** A screen of all records of the resource. */
function ofAll(path: string, Screen: typeof Charts): ResourceScreen {
  return {
    path: `/data/:resource${path}`,
    preload: Screen.preload,
    show: (resource) => <Screen resource={resource} />,
  };
}

/** Everything that requires a sign-in. */
export default function SignedIn() {
  const me = useQuery(meQuery);
  if (me.isPending) return <Waiting />;
  if (viewing() !== null) {
    if (isStatus(me.error, 401)) return <Viewed me={null} />;
    if (me.data !== undefined) return <Viewed me={me.data}>{insideOf(me.data)}</Viewed>;
  }
  if (isStatus(me.error, 401)) return <Redirect to={signInPath(here())} replace />;
  if (me.data === undefined) {
    return (
      <SignedOutPage title={appName()}>
        <Failure text={sentence(me.error)} onRetry={() => void me.refetch()} />
      </SignedOutPage>
    );
  }
  return insideOf(me.data);
}

function insideOf(me: Me): ReactNode {
  return (
    <ToastRoom key={me.user.id}>
      <Inside me={me} />
    </ToastRoom>
  );
}

/** Reloads the page once the browser is signed in to another account, whose data must not mix with this account's. */
function useOwnCookie(id: string): void {
  useLayoutEffect(() => {
    // Viewing as another account uses its own token, not the cookie.
    if (viewing() !== null) return;
    noteAccount(id);
    const leave = () => leaveTo(here());
    const stopWatching = watchAccount(id, leave);
    const stopChecking = callWhile(() => {
      const isOurs = !isTakenFrom(id);
      if (!isOurs) leave();
      return isOurs;
    });
    return () => {
      stopWatching();
      stopChecking();
    };
  }, [id]);
}

/** Milliseconds after which the first page has loaded, and the rest is preloaded. */
const settled = 5_000;

/** Preloads the other screens, so that they open without a network too. */
function useScreensAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const { preload } of resourceScreens) preload();
      Account.preload();
      preloadLayers();
    }, settled);
    return () => clearTimeout(timer);
  }, []);
}

/** Home and all pages of records, which are meaningless until the resources are known. */
const needsResources = /^\/(?:data\/.*)?$/;

function Inside({ me }: { readonly me: Me }) {
  const { id } = me.user;
  useOwnCookie(id);
  useScreensAhead();
  const [path] = useLocation();
  const resources = useQuery(resourcesQuery(id));
  const isLoading = resources.isPending;
  const used = /^\/data\/([^/]+)/.exec(path)?.[1];
  const answered = resources.data?.body.data;
  const known = useMemo(
    () => withLinkedFields(withNaming(withIdTypes(answered ?? []))),
    [answered],
  );
  const isKnown = known.some(({ name }) => name === used);
  useEffect(() => {
    if (used !== undefined && isKnown) rememberUse(id, used);
  }, [id, used, isKnown]);
  const session = {
    ...me,
    resources: known,
    uploadLimit: resources.data?.uploadLimit ?? null,
    resumableLimit: resources.data?.resumableLimit ?? null,
    parts: resources.data?.parts ?? [],
  };
  return (
    <SessionContext.Provider value={session}>
      {viewing() === null ? <SignInAgain user={me.user} /> : null}
      <Frame>
        <Boundary key={screenOf(path)}>
          <Switch>
            {resources.isLoadingError ? (
              <Route path={needsResources}>
                <div className="content">
                  <Failure
                    text={sentence(resources.error)}
                    onRetry={() => void resources.refetch()}
                  />
                </div>
              </Route>
            ) : null}
            <Route path="/">{isLoading ? <Waiting /> : <Home />}</Route>
            {resourceScreens.map(({ path: at, preload, show }) => (
              <Route key={at} path={at}>
                {({ resource: name = "", ...params }: Params) => (
                  <OfResource key={name} name={name} isLoading={isLoading} preload={preload}>
                    {(resource) => show(resource, params)}
                  </OfResource>
                )}
              </Route>
            ))}
            <Route path="/account">
              <Redirect to="/account/profile" replace />
            </Route>
            <Route path="/account/:part">
              {({ part }) => (viewing() === null ? <Account part={part} /> : <Missing />)}
            </Route>
            <Route path="/accounts/:id?">
              {({ id: one }) => (
                <Accounts
                  view={isAccountsView(one) ? one : "people"}
                  id={one === undefined || isAccountsView(one) ? null : one}
                />
              )}
            </Route>
            <Route path="/jobs">
              <Jobs view="jobs" />
            </Route>
            <Route path="/jobs/:view">
              {({ view }) =>
                view === "schedule" || view === "day" ? <Jobs view={view} /> : <Missing />
              }
            </Route>
            <Route path="/webhooks/:id?">
              {({ id: one }) => <Webhooks key={one} id={one ?? null} />}
            </Route>
            <Route path="/activity" component={Activity} />
            <Route path="/status" component={Status} />
            <Route component={Missing} />
          </Switch>
        </Boundary>
      </Frame>
    </SessionContext.Provider>
  );
}

/** Words that an address may have instead of an account's id. */
function isAccountsView(word: string | undefined): word is "events" | "rights" | "tokens" {
  return word === "events" || word === "rights" || word === "tokens";
}

/**
 * The part of a path that identifies its screen. An account opens next to the list, so that search and selection stay.
 */
function screenOf(path: string): string {
  if (path.startsWith("/jobs")) return "/jobs";
  return path.startsWith("/accounts") ? "/accounts" : path.split("/").slice(0, 3).join("/");
}
