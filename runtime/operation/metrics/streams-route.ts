/** Counted separately, because a stream lasts until its client disconnects. */
export const streamsRoute = "/api/_service/changes";
