export { type BusyTime, newBusyTime } from "./busy-time.js";
export {
  currentRequest,
  noteAccount,
  noteServiceToken,
  type RequestState,
  startRequest,
} from "./state.js";
export { readTraceparent } from "./traceparent.js";
export { writerOf } from "./writer.js";
