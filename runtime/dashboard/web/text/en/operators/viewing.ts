/** Texts for operators who view the app as another account. */
export const enViewing = Object.freeze({
  open: "View as…",
  title: (name: string) => `View the app as ${name}`,
  text: "A window opens that shows this dashboard as they see it, for 30 minutes. You cannot change anything there. They are notified by email, and see you in their list of devices.",
  reason: "Reason",
  reasonHelp: "Recorded in the events of the account, for example a ticket number.",
  button: "View as",
  blocked: "Your browser did not open the window.",
  openWindow: "Open the window",
  opened: (name: string) => `A window shows what ${name} sees`,
  banner: "You are viewing another account",
  seeing: (name: string) => `You see what ${name} sees.`,
  readsOnly: "Nothing can be changed.",
  left: (milliseconds: number) =>
    milliseconds < 60_000
      ? "Less than a minute left."
      : `${Math.ceil(milliseconds / 60_000)} min left.`,
  end: "End",
  over: "The view has ended",
  overText: "It lasts 30 minutes, and ends earlier if the account or an operator ends it.",
  close: "Close the window",
});
