export { newBusyTime } from "./busy-time.js";
export {
  currentRequest,
  inRequest,
  noteAccount,
  noteServiceToken,
  outsideRequests,
  type RequestState,
  startRequest,
} from "./state.js";
export { readTraceparent } from "./traceparent.js";
export { writerOf } from "./writer.js";
