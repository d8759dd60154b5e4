import type { ConnectionSettings } from './connection.ts'

/**
 * A proof that both ends know a secret, made inside the TLS channel and bound to it: HELLO carries the first message of the
 * client, WELCOME the answer of the server with its proof, CONFIRM the proof of the client. It costs no round trip.
 */
export interface ClientProof {
  /**
   * @param channel 32 bytes that the two ends of this TLS channel have in common, and nobody else: whoever stands between
   *   has two channels, and so two values
   * @returns at most `MAX_TICKET_BYTES`
   */
  begin(channel: Uint8Array): Uint8Array
  /**
   * @param answer of the server
   * @returns what proves the client, at most `MAX_PROOF_BYTES`; undefined when the server has not proven itself
   */
  confirm(answer: Uint8Array): Uint8Array | undefined
}

/** The server's side of a proof, for one connection. */
export interface Challenge {
  readonly settings: ConnectionSettings
  /** Goes to the client: the server's answer with its proof. At most `MAX_PROOF_BYTES`. */
  readonly answer: Uint8Array
  /** Called at most once. @returns whether the client has proven itself */
  confirm(proof: Uint8Array): boolean
}

/** The server did not prove that it has the secret, or answered without a proof. */
export class ProofError extends Error {}
