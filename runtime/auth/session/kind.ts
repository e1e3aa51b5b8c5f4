/** The only proof of a service token, which the command line makes. */
export const serviceTokenProof = "service-token";

/** The only proof of an app that somebody has connected. */
export const appProof = "app";

/** The only proof of an operator who sees what the account sees. */
export const viewProof = "view";

/**
 * What a session is: a device that somebody has signed in on, a service token, an app that acts for the account, or an
 * operator who sees what it sees.
 */
export type SessionKind = "device" | "service-token" | "app" | "view";

/** SQL for the kind of a session. */
export function kindOf(session: string): string {
  return `case
    when ${session}.proofs[1] in ('${serviceTokenProof}', '${appProof}', '${viewProof}') then ${session}.proofs[1]
    else 'device'
  end`;
}

/** SQL for whether somebody has signed in by that session. */
export function isSignIn(session: string): string {
  return `${session}.proofs[1] not in ('${serviceTokenProof}', '${appProof}', '${viewProof}')`;
}
