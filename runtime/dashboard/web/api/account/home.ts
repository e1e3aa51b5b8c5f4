/** A block of the home page, as stored by the API, which does not interpret it. */
export type StoredBlock = Readonly<Record<string, unknown>>;

/** The blocks of the account, and those that operators share with all accounts; null if none are stored. */
export interface StoredHome {
  readonly own: readonly StoredBlock[] | null;
  readonly shared: readonly StoredBlock[] | null;
}
