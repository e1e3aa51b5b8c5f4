/** Returns the path to open after signing in: a path of this dashboard that is not a sign-in page, or `/`. */
export function safePath(path: string | null): string {
  return path !== null && isOwnPath(path) && !path.startsWith("/sign-in") ? path : "/";
}

/**
 * Whether a path begins with one slash that is not followed by a slash or backslash, and has no control characters,
 * which browsers remove before parsing.
 */
function isOwnPath(path: string): boolean {
  return path.length <= 2_000 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/** Returns the path that the address specifies for after signing in. */
export function wishedPath(): string {
  return safePath(new URLSearchParams(location.search).get("redirectTo"));
}

/** Returns the address of the sign-in page that returns to the current page. */
export function signInPath(from: string): string {
  const path = safePath(from);
  return path === "/" ? "/sign-in" : `/sign-in?redirectTo=${encodeURIComponent(path)}`;
}

/** Whether the server received no cookie with the request for this page, which requires an account. */
export function isSignedOutPage(): boolean {
  return document.querySelector('meta[name="signed-out"]') !== null;
}

/** Starts at the sign-in page, so that neither the screens nor the account are requested unnecessarily. */
export function beginAtSignIn(): void {
  history.replaceState(null, "", signInPath(here()));
}

/** The token of a link in an email; read once, because it is then removed from the address. */
export interface MailedLink {
  readonly token: string;
  readonly redirectTo: string;
}

let mailed: MailedLink | null = null;

/**
 * Removes the token of an emailed link from the address before anything else runs, so that neither the history nor a
 * copied address contains it.
 */
export function takeMailedLink(): void {
  const query = new URLSearchParams(location.search);
  const token = query.get("token");
  if (token === null || !linkPaths.has(location.pathname)) return;
  mailed = { token, redirectTo: wishedPath() };
  history.replaceState({ mailed }, "", location.pathname);
}

const linkPaths: ReadonlySet<string> = new Set([
  "/sign-in/link",
  "/verify-email",
  "/change-email",
  "/reset-password",
]);

/** Returns the emailed link that opened this page. It survives a reload, and is removed when the tab is closed. */
export function mailedLink(): MailedLink | null {
  mailed ??= (carried("mailed") as MailedLink | undefined) ?? null;
  return mailed;
}

/** The result of a provider's callback: a ticket, or an error code. */
export interface ProviderAnswer {
  readonly ticket: string | null;
  readonly error: string | null;
}

export const providerPath = "/sign-in/provider";

/** Removes a ticket from the address before anything else runs, like the token of an emailed link. */
export function takeProviderAnswer(): void {
  const query = new URLSearchParams(location.search);
  if (location.pathname !== providerPath || location.search === "") return;
  const answer = { ticket: query.get("ticket"), error: query.get("error") };
  history.replaceState({ provider: answer }, "", location.pathname);
}

/** Returns the callback's result. It is read once, because a ticket is valid once. */
export function providerAnswer(): ProviderAnswer | null {
  const answer = carried("provider") as ProviderAnswer | undefined;
  dropCarried("provider");
  return answer ?? null;
}

export function leaveForProvider(url: string): void {
  if (/^https?:\/\//.test(url)) location.assign(url);
}

/** Returns to an app that requested to be connected, by the URL that the API allows. */
export function leaveForApp(url: string): void {
  if (!/^(?:javascript|data|vbscript):/i.test(url)) location.assign(url);
}

/** Returns the absolute URL of a path of this dashboard. */
export function wholeAddress(path: string): string {
  return location.origin + path;
}

/** The history state of a sign-in page after a sign-out that got no response: the token may still be valid. */
export const unanswered = { signOut: "unanswered" };

export function isUnanswered(state: unknown): boolean {
  return typeof state === "object" && state !== null && "signOut" in state;
}

/** Returns the value stored under that name in the page's history state by the link that led here. */
export function carried(name: string): unknown {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null) return undefined;
  return (state as Readonly<Record<string, unknown>>)[name];
}

export function dropCarried(name: string): void {
  const { [name]: _, ...others } = (history.state ?? {}) as Readonly<Record<string, unknown>>;
  history.replaceState(others, "");
}

export function openTab(path: string): void {
  if (isOwnPath(path)) window.open(path, "_blank", "noopener");
}

/** Moves a number of steps back or forward in the browser's history. */
export function travel(by: number): void {
  history.go(by);
}

export function here(): string {
  return location.pathname + location.search;
}

/** Leaves the page, and drops everything that was loaded for the previous account. */
export function leaveTo(path: string): void {
  location.assign(isOwnPath(path) ? path : "/");
}
