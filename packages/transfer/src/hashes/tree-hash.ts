import { createHash } from 'node:crypto'
import { type Hash, leafNode, treeRoot } from '@godwit/base'
import { blake3 } from '@napi-rs/blake-hash'
import { TransferError } from '../errors/transfer-error.ts'

/** Bytes of a leaf hash and of a root, for every algorithm. */
export const HASH_BYTES = 32

/** The byte that names the algorithm on the wire and in journals. Values are never given a second meaning. */
export const HASH_IDS = { sha256: 1, blake3: 2 } as const
export type HashName = keyof typeof HASH_IDS

/** The tree hash of `@godwit/base` with one of two digests under it. BLAKE3 is the product's; SHA-256 is for peers without. */
export interface TreeHash {
  readonly name: HashName
  readonly id: number
  /** @param data at most one leaf; borrowed for the call */
  readonly leaf: Hash
  /** @param leaves the leaf hashes of the whole file, in order; none for an empty file */
  root(size: number, leaves: readonly Uint8Array[]): string
}

export function treeHash(name: HashName): TreeHash {
  const leaf = DIGESTS[name]
  return {
    name,
    id: HASH_IDS[name],
    leaf,
    root(size, leaves) {
      const whole = leaves.length === 0 ? [leaf(new Uint8Array(0))] : leaves
      return treeRoot(
        leaf,
        size,
        whole.map((digest, index) => leafNode(index, digest)),
      )
    },
  }
}

/** @throws TransferError MESSAGE_INVALID for a number no algorithm has */
export function treeHashById(id: number): TreeHash {
  const name = (Object.keys(HASH_IDS) as HashName[]).find((candidate) => HASH_IDS[candidate] === id)
  if (name === undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'unknown hash algorithm', id })
  return treeHash(name)
}

const DIGESTS: Record<HashName, Hash> = {
  sha256: (data) => createHash('sha256').update(data).digest(),
  // The function, not the class: an object for each call would cost more than the hash of a small file.
  blake3: (data) => blake3(Buffer.from(data.buffer, data.byteOffset, data.length)),
}
