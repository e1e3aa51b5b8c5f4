/** What a mail says, before it is rendered as text and HTML. */
export interface MailContent {
  readonly subject: string;
  /** What this mail is for. */
  readonly lead: string;
  readonly code: string | null;
  readonly link: { readonly label: string; readonly address: string } | null;
  /** How long it works, and what to do if it was not requested. */
  readonly notes: readonly string[];
}
