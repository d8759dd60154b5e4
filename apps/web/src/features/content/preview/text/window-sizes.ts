/** Bytes asked for at once. */
export const WINDOW_BYTES = 1_048_576
/** What of a file is shown at most. */
export const TEXT_MAX_BYTES = 50 * WINDOW_BYTES
