/** What a busy machine may add to a time that the product promises, in milliseconds. Far below the time that a missing rule would take. */
export const BUSY_MS = 25_000
