/** The most writes of one batch. */
export const maxOperations = 100;
