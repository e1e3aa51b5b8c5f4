/** An email before it is rendered as text and HTML. */
export interface MailContent {
  readonly subject: string;
  /** The purpose of the email. */
  readonly lead: string;
  readonly code: string | null;
  readonly link: { readonly label: string; readonly address: string } | null;
  /** How long the code or link is valid, and what to do if it was not requested. */
  readonly notes: readonly string[];
}
