import { TransferError, type TransferErrorCode } from '../errors/transfer-error.ts'
import { HASH_BYTES } from '../hashes/tree-hash.ts'

/** A leaf without content: the source could not read it. */
export function isVoid(leaf: Uint8Array): boolean {
  return leaf.length === HASH_BYTES && leaf.every((byte) => byte === 0)
}

/** @param code for an error that is none of a transfer */
export function asTransferError(error: unknown, code: TransferErrorCode): TransferError {
  if (error instanceof TransferError) return error
  return new TransferError(code, { reason: error instanceof Error ? error.message : 'unknown' }, { cause: error })
}

/** The cancel of a peer's engine that failed: its code, and its details as one text for people. */
export function reasonOf({ details }: TransferError): string {
  return Object.entries(details)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')
}
