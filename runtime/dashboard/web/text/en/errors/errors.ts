/** Messages for errors without a specific one. */
export const enErrors = Object.freeze({
  offline: "The server cannot be reached. Check the connection and try again.",
  trouble: "The server cannot respond at the moment. Try again in a while.",
  bug: "Something went wrong on the server.",
  status: (status: number) =>
    status === 413
      ? "The request is too large for the proxy in front of the server (413)."
      : `The server responded with ${status} and no explanation.`,
  bugNumber: (id: string) => `Give this request ID to the people who run the server: ${id}`,
  tooMany: "Too many attempts.",
  again: (clock: string) => `You can try again in ${clock}.`,
  againNow: "You can try again now.",
  summary: "This could not be saved",
  cut: "The page has a new version, or could not be loaded. Load it again.",
  away: "There is no network. This page will load when the network is back.",
  reload: "Load the page again",
  notLoaded: "This could not be loaded",
  notLoadedText:
    "The connection was lost, or the page has a new version. Nothing that you typed is lost.",
});
