/** How long somebody may be at the provider. */
export const stateMinutes = 10;
/** How long a browser takes from the callback to the page that began. */
export const ticketSeconds = 60;

/** All that decides what becomes of somebody whose identity is not known here. */
export interface UnknownIdentity {
  /** Whether the provider guarantees that the address is theirs. */
  readonly isVouched: boolean;
  /** Normalised; null without one. */
  readonly email: string | null;
  /** The provider's settings. */
  readonly register: boolean;
  readonly domains: readonly string[];
  /** The account that has the address; null when there is none. */
  readonly account: AccountFacts | null;
}

interface AccountFacts {
  readonly emailVerified: boolean;
  /** Whether an operator says whose it is. */
  readonly invited: boolean;
  readonly disabled: boolean;
  /** Whether it has another identity of the provider. */
  readonly hasIdentity: boolean;
}

/**
 * `link`: to the account, whose owner has proved the address before. `adopt`: the account is handed to the reader of the
 * address first, since anybody may have set it up. `register`: a new account.
 */
export type Verdict = "link" | "adopt" | "register" | Refused;

/** Nobody is signed in, for a reason that only the log has. */
export interface Refused {
  readonly refused:
    | "no address"
    | "address not vouched for"
    | "domain not allowed"
    | "registration off"
    | "account disabled"
    | "account linked to another"
    | "no claim of roles"
    | "account changed meanwhile";
}

/**
 * Decides about an unknown identity. Only an address that the provider vouches for leads to an account: otherwise whoever
 * writes somebody's address into their own account at a provider would get in as them.
 */
export function judgeIdentity(facts: UnknownIdentity): Verdict {
  const { register, account } = facts;
  const refused = refusedAddress(facts);
  if (refused !== null) return refused;
  if (account === null) return register ? "register" : { refused: "registration off" };
  if (account.disabled) return { refused: "account disabled" };
  const { emailVerified, invited, hasIdentity } = account;
  // The identities of any other go with the rest, so that none of them is in the way.
  if (hasIdentity && (emailVerified || invited)) return { refused: "account linked to another" };
  return emailVerified ? "link" : "adopt";
}

/** Why an address leads to no account, whatever accounts there are; null if it may lead to one. */
export function refusedAddress({
  isVouched,
  email,
  domains,
}: Pick<UnknownIdentity, "isVouched" | "email" | "domains">): Refused | null {
  if (email === null) return { refused: "no address" };
  if (!isVouched) return { refused: "address not vouched for" };
  return isOfDomains(email, domains) ? null : { refused: "domain not allowed" };
}

/** Whether an address is of one of those domains, exactly; of none of them where there are none to choose from. */
export function isOfDomains(email: string | null, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return email !== null && domains.includes(email.slice(email.lastIndexOf("@") + 1));
}

const maxReturnLength = 2000;

/**
 * The address to which a sign-in returns, as it is sent; null for one that is neither below the dashboard's nor of a
 * configured scheme. It gets a ticket: whoever receives it only lacks the secret.
 */
export function returnAddress(
  written: string,
  { webUrl, schemes }: { readonly webUrl: string | null; readonly schemes: readonly string[] },
): string | null {
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  if (written.length > maxReturnLength || /[\\\p{Cc}\p{Cs}\s]/u.test(written)) return null;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.href.length > maxReturnLength || url.username !== "" || url.password !== "") return null;
  if (schemes.includes(url.protocol.slice(0, -1))) return url.href;
  return webUrl !== null && isBelow(url, new URL(webUrl)) ? url.href : null;
}

function isBelow(url: URL, web: URL): boolean {
  const base = web.pathname.replace(/\/$/, "");
  return (
    url.origin === web.origin &&
    web.origin !== "null" &&
    (url.pathname === base || url.pathname.startsWith(`${base}/`))
  );
}

/** The address with one more parameter; its own query and its fragment stay. */
export function withParameter(address: string, name: "ticket" | "error", value: string): string {
  const [beforeHash = "", ...hash] = address.split("#");
  const separator = beforeHash.includes("?") ? "&" : "?";
  const fragment = hash.length === 0 ? "" : `#${hash.join("#")}`;
  return `${beforeHash}${separator}${name}=${encodeURIComponent(value)}${fragment}`;
}
