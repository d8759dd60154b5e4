/** @returns undefined for what is no JSON, which every schema refuses */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The schema refuses what is no JSON.
  }
}

/** Before the login nobody needs long frames. */
export const STRANGER_FRAME_BYTES = 4_096
/** Who has not signed in by then is let go. */
export const LOGIN_MS = 10_000
/** A peer that does not answer the closing handshake is cut after this long. */
export const CLOSING_MS = 2_000
