/** Texts of the page that authorizes an app. */
export const enAuthorize = Object.freeze({
  title: "Connect an app",
  asks: "This app requests permission to act as you:",
  /** Above the host that the browser returns to. */
  sendsTo: "You are then sent back to:",
  thisComputer: "this computer",
  local:
    "A program on this computer requests this. Allow it only if you have just started it yourself.",
  named: (name: string) => `It calls itself “${name}”. This name is not verified.`,
  unnamed: "It gives no name.",
  may: "It may",
  read: "read what you may read",
  write: "create, change and delete what you may",
  never: "It never receives your password, and cannot see your devices.",
  onlyRead: "Allow reading only",
  allow: "Allow",
  deny: "Deny",
  as: (email: string) => `You are signed in as ${email}.`,
  other: "Use another account",
  refused: "This app cannot be connected",
  refusedText: "Go back to the app and try again. If that does not help, tell its developer:",
  done: "You can close this page",
  doneText: "The app has received your decision.",
});
