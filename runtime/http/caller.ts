/** Who makes a request. */
export interface Caller {
  readonly accountId: string;
  readonly role: string | null;
  readonly sessionId: string | null;
}
