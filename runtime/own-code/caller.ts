/** Who makes a request, as identified by its token. */
export interface Caller {
  readonly accountId: string;
  readonly role: string | null;
  readonly sessionId: string | null;
}
