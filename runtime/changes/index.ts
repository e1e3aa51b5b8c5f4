export { historyRule } from "./history/right.js";
export { historyRoutes } from "./history/routes.js";
export { type FollowOptions, followLog, type LogFollower, type LogListener } from "./log/follow.js";
export { beginHistories, forgetChanges, type Keeping } from "./log/forget.js";
export { changedColumns, rowOf, withImages } from "./log/images.js";
export { numberChangesOf } from "./log/numbered.js";
export { isOfLog, type Position, readPosition, writePosition } from "./log/position.js";
export {
  type LoggedChange,
  type LogRange,
  type LogState,
  readChanges,
  readState,
} from "./log/read.js";
export { sequenceChanges } from "./log/sequence.js";
export { type LogUpkeep, startUpkeep } from "./log/upkeep.js";
export { openStreams, type StreamOptions, type Streams } from "./stream/streams.js";
