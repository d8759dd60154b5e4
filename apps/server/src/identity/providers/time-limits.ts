/** Longest wait of a person whose password is checked elsewhere. */
export const CHECK_MS = 9_000
