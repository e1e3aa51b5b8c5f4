/** The times of every record besides its fields, by their names in the API. */
export const timeNames = ["createdAt", "updatedAt"] as const;
export type TimeName = (typeof timeNames)[number];

/** The default columns of these times. They have default values, and a trigger sets `updated_at`. */
export const usualTimes = { createdAt: "created_at", updatedAt: "updated_at" } as const;
