/** Maximum number of writes in a batch. */
export const maxOperations = 100;
