/** The times that every record has besides its fields, by their names in the API. */
export const timeNames = ["createdAt", "updatedAt"] as const;
export type TimeName = (typeof timeNames)[number];

/** The columns of these times unless a descriptor names others. They have defaults, and a trigger sets `updated_at`. */
export const usualTimes = { createdAt: "created_at", updatedAt: "updated_at" } as const;
