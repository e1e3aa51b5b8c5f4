/** Counted separately, because a stream lasts as long as its reader stays. */
export const streamsRoute = "/api/_service/changes";
