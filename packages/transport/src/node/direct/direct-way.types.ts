import type { Endpoint } from '../ports/port.types.ts'

/** Looks for a way between two peers that does not lead through the third party that carries their control stream. */
export interface DirectWay {
  /** The peer has proven who it is. `send` takes a CANDIDATES payload for it; `found` is called at most once. */
  begin(use: { send(payload: Uint8Array): void; found(peer: Endpoint): void }): void
  /** A CANDIDATES payload of the peer. */
  onCandidates(payload: Uint8Array): void
  stop(): void
}
