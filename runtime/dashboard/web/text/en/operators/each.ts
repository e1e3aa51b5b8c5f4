import { counted } from "../en.js";

/** Texts about one action on many jobs or deliveries. */
export const enEach = Object.freeze({
  finding: "Looking for all of them …",
  running: "In progress",
  stopped: "Stopped",
  ended: "Done",
  of: (done: string, total: string) => `${done} of ${total}`,
  stop: "Stop",
  goOn: "Continue",
  signInAgain: "Sign in again",
  refused: (many: number) => counted(many, "was refused:", "were refused:"),
});
