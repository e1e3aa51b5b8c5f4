/** Where to go after signing in: a path of this dashboard that is not itself a sign-in page, or `/`. */
export function safePath(path: string | null): string {
  return path !== null && isOwnPath(path) && !path.startsWith("/sign-in") ? path : "/";
}

/**
 * One leading slash that no slash or backslash follows, and no control characters, which browsers remove before
 * they parse the rest.
 */
function isOwnPath(path: string): boolean {
  return path.length <= 2_000 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/** Where the address asks to go after signing in. */
export function wishedPath(): string {
  return safePath(new URLSearchParams(location.search).get("redirectTo"));
}

/** The address of the sign-in page that returns to the current one. */
export function signInPath(from: string): string {
  const path = safePath(from);
  return path === "/" ? "/sign-in" : `/sign-in?redirectTo=${encodeURIComponent(path)}`;
}

/** The token of a mailed link; read once, because the address no longer contains it afterwards. */
export interface MailedLink {
  readonly token: string;
  readonly redirectTo: string;
}

let mailed: MailedLink | null = null;

/**
 * Removes a mailed link's token from the address before anything else runs, so that it is neither in the
 * history nor in an address that somebody copies.
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

/** The mailed link that was followed to this page. It survives a reload, and is forgotten with the tab. */
export function mailedLink(): MailedLink | null {
  mailed ??= (carried("mailed") as MailedLink | undefined) ?? null;
  return mailed;
}

/** What a provider's callback brought back: a ticket, or the code of what went wrong. */
export interface ProviderAnswer {
  readonly ticket: string | null;
  readonly error: string | null;
}

/** The page to which a sign-in with a provider returns. */
export const providerPath = "/sign-in/provider";

/** Removes a ticket from the address before anything else runs, as a mailed link's token is. */
export function takeProviderAnswer(): void {
  const query = new URLSearchParams(location.search);
  if (location.pathname !== providerPath || location.search === "") return;
  const answer = { ticket: query.get("ticket"), error: query.get("error") };
  history.replaceState({ provider: answer }, "", location.pathname);
}

/** What came back; read once, since a ticket works once. */
export function providerAnswer(): ProviderAnswer | null {
  const answer = carried("provider") as ProviderAnswer | undefined;
  dropCarried("provider");
  return answer ?? null;
}

/** Leaves for a page of a provider. */
export function leaveForProvider(url: string): void {
  if (/^https?:\/\//.test(url)) location.assign(url);
}

/** This dashboard's address of a path. */
export function wholeAddress(path: string): string {
  return location.origin + path;
}

/** The state of a sign-in page after a sign-out that got no answer: its token may still be accepted. */
export const unanswered = { signOut: "unanswered" };

/** Whether the sign-in page was reached in that way. */
export function isUnanswered(state: unknown): boolean {
  return typeof state === "object" && state !== null && "signOut" in state;
}

/** What the link to this page carries under that name. */
export function carried(name: string): unknown {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null) return undefined;
  return (state as Readonly<Record<string, unknown>>)[name];
}

/** Removes what was carried under that name. */
export function dropCarried(name: string): void {
  const { [name]: _, ...others } = (history.state ?? {}) as Readonly<Record<string, unknown>>;
  history.replaceState(others, "");
}

/** Opens another page of this server in a tab of its own. */
export function openTab(path: string): void {
  if (isOwnPath(path)) window.open(path, "_blank", "noopener");
}

/** Goes so many steps back or forward in the browser's history. */
export function travel(by: number): void {
  history.go(by);
}

export function here(): string {
  return location.pathname + location.search;
}

/** Leaves the page, and drops everything that the former account has loaded. */
export function leaveTo(path: string): void {
  location.assign(isOwnPath(path) ? path : "/");
}
