/** Its requests are counted by themselves: a stream takes as long as its reader likes. */
export const streamsRoute = "/api/_service/changes";
