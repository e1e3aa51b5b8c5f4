export { type BusyTime, newBusyTime } from "./busy-time.js";
export {
  currentRequest,
  inRequest,
  noteAccount,
  noteServiceToken,
  outsideRequests,
  type RequestState,
  startRequest,
} from "./state.js";
export { readTraceparent, type TraceContext } from "./traceparent.js";
export { writerOf } from "./writer.js";
