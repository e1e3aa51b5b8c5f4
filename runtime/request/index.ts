export { newBusyTime } from "./busy-time.js";
export {
  noteAccount,
  noteServiceToken,
  type RequestState,
} from "./state.js";
export { readTraceparent } from "./traceparent.js";
export { writerOf } from "./writer.js";
