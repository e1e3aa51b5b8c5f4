/** The maximum number of writes in one batch. */
export const maxOperations = 100;
