/** Minutes that a person may spend at the provider. */
export const stateMinutes = 10;
/** Seconds after the callback within which the page that began the sign-in must submit its ticket. */
export const ticketSeconds = 60;

/** The facts that decide about an unknown identity. */
export interface UnknownIdentity {
  /** Whether the provider guarantees that the address belongs to the person. */
  readonly isVouched: boolean;
  /** The normalized address; null if the identity has none. */
  readonly email: string | null;
  /** Whether the provider's settings allow new accounts. */
  readonly register: boolean;
  readonly domains: readonly string[];
  /** The account that has the address; null if there is none. */
  readonly account: AccountFacts | null;
}

interface AccountFacts {
  readonly emailVerified: boolean;
  /** Whether an operator invited the account's owner. */
  readonly invited: boolean;
  readonly disabled: boolean;
  /** Whether the account has another identity of the provider. */
  readonly hasIdentity: boolean;
}

/**
 * `link`: links the identity to the account, whose owner has already proved the address. `adopt`: first hands the
 * account over to the reader of the address, since another person may have created it. `register`: creates an account.
 */
export type Verdict = "link" | "adopt" | "register" | Refused;

/** The sign-in is refused, with a reason for the log only. */
export interface Refused {
  readonly refused:
    | "no address"
    | "address not verified"
    | "domain not allowed"
    | "registration off"
    | "account disabled"
    | "account linked to another"
    | "roles claim missing"
    | "account changed meanwhile";
}

/**
 * Decides about an unknown identity. Only an address that the provider guarantees leads to an account: otherwise a
 * person could enter another person's address at a provider and sign in as them.
 */
export function judgeIdentity(facts: UnknownIdentity): Verdict {
  const { register, account } = facts;
  const refused = refusedAddress(facts);
  if (refused !== null) return refused;
  if (account === null) return register ? "register" : { refused: "registration off" };
  if (account.disabled) return { refused: "account disabled" };
  const { emailVerified, invited, hasIdentity } = account;
  // Adoption deletes the account's identities, so they matter only if the account is not adopted.
  if (hasIdentity && (emailVerified || invited)) return { refused: "account linked to another" };
  return emailVerified ? "link" : "adopt";
}

/** The reason why an address leads to no account, regardless of which accounts exist; null if it may lead to one. */
export function refusedAddress({
  isVouched,
  email,
  domains,
}: Pick<UnknownIdentity, "isVouched" | "email" | "domains">): Refused | null {
  if (email === null) return { refused: "no address" };
  if (!isVouched) return { refused: "address not verified" };
  return isOfDomains(email, domains) ? null : { refused: "domain not allowed" };
}

/** Whether an address belongs to exactly one of those domains; false if there are none. */
export function isOfDomains(email: string | null, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return email !== null && domains.includes(email.slice(email.lastIndexOf("@") + 1));
}

const maxReturnLength = 2000;

/**
 * Returns the normalized return address of a sign-in; null unless it is below one of the app's pages or has a
 * configured scheme. It receives a ticket, which is useless without the secret.
 */
export function returnAddress(
  written: string,
  { pages, schemes }: { readonly pages: readonly string[]; readonly schemes: readonly string[] },
): string | null {
  // Browsers treat a backslash as a slash, and drop tabs and line breaks.
  if (written.length > maxReturnLength || /[\\\p{Cc}\p{Cs}\s]/u.test(written)) return null;
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.href.length > maxReturnLength || url.username !== "" || url.password !== "") return null;
  if (schemes.includes(url.protocol.slice(0, -1))) return url.href;
  return pages.some((page) => isBelow(url, new URL(page))) ? url.href : null;
}

function isBelow(url: URL, page: URL): boolean {
  const base = page.pathname.replace(/\/$/, "");
  return (
    url.origin === page.origin &&
    page.origin !== "null" &&
    (url.pathname === base || url.pathname.startsWith(`${base}/`))
  );
}

/** Adds a parameter to the address; keeps its query and fragment. */
export function withParameter(address: string, name: "ticket" | "error", value: string): string {
  const [beforeHash = "", ...hash] = address.split("#");
  const separator = beforeHash.includes("?") ? "&" : "?";
  const fragment = hash.length === 0 ? "" : `#${hash.join("#")}`;
  return `${beforeHash}${separator}${name}=${encodeURIComponent(value)}${fragment}`;
}
