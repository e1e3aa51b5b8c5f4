export { historyRoutes } from "./history/routes.js";
export { followLog, type LogFollower } from "./log/follow.js";
export { beginHistories, forgetChanges } from "./log/forget.js";
export { changedColumns, rowOf, withImages } from "./log/images.js";
export { numberChangesOf } from "./log/numbered.js";
export { type LoggedChange, type LogState, readChanges, readState } from "./log/read.js";
export { sequenceChanges } from "./log/sequence.js";
export {
  openStreams,
  positionReader,
  type StreamOptions,
  type Streams,
} from "./stream/streams.js";
