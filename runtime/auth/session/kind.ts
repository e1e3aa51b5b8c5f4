/** The only proof of a service token. */
export const serviceTokenProof = "service-token";

/** The only proof of a connected app. */
export const appProof = "app";

/** The only proof of an operator who views the app as another account. */
export const viewProof = "view";

/**
 * The kind of a session: a signed-in device, a service token, an app that acts for the account, or
 * an operator who views the app as the account.
 */
export type SessionKind = "device" | "service-token" | "app" | "view";

export function kindOf(session: string): string {
  return `case
    when ${session}.proofs[1] in ('${serviceTokenProof}', '${appProof}', '${viewProof}') then ${session}.proofs[1]
    else 'device'
  end`;
}

/** SQL for whether the session is a signed-in device. */
export function isSignIn(session: string): string {
  return `${session}.proofs[1] not in ('${serviceTokenProof}', '${appProof}', '${viewProof}')`;
}
