import { type Hash, joinNodes, LEAF_BYTES, leafNode, type TreeNode, treeRoot } from '@godwit/base'
import { createBLAKE3 } from 'hash-wasm'

let loaded: Promise<Hash> | undefined

/** BLAKE3 as WebAssembly: the same in browsers and Node. */
export function blake3(): Promise<Hash> {
  loaded ??= createBLAKE3().then((hasher) => (data) => hasher.init().update(data).digest('binary'))
  return loaded
}

/** Nodes over bytes that begin at `offset`, a multiple of a leaf. */
export function nodesOf(hash: Hash, bytes: Uint8Array, offset: number): readonly TreeNode[] {
  const nodes: TreeNode[] = []
  for (let at = 0; at < Math.max(1, bytes.length); at += LEAF_BYTES)
    nodes.push(leafNode((offset + at) / LEAF_BYTES, hash(bytes.subarray(at, at + LEAF_BYTES))))
  return joinNodes(hash, nodes)
}

/** The tree hash of a file whose bytes come in order and in pieces of any size. */
export class TreeHasher {
  readonly #hash: Hash
  readonly #leaf = new Uint8Array(LEAF_BYTES)
  #nodes: TreeNode[] = []
  #filled = 0
  #size = 0

  constructor(hash: Hash) {
    this.#hash = hash
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + LEAF_BYTES - this.#filled)
      this.#leaf.set(piece, this.#filled)
      this.#filled += piece.length
      this.#size += piece.length
      at += piece.length
      if (this.#filled === LEAF_BYTES) this.#close()
    }
  }

  /** @returns 64 lower-case hexadecimal digits. Nothing may follow it. */
  root(): string {
    if (this.#filled > 0 || this.#size === 0) this.#close()
    return treeRoot(this.#hash, this.#size, this.#nodes)
  }

  #close(): void {
    const index = Math.ceil(this.#size / LEAF_BYTES) - (this.#size === 0 ? 0 : 1)
    this.#nodes = joinNodes(this.#hash, [
      ...this.#nodes,
      leafNode(index, this.#hash(this.#leaf.subarray(0, this.#filled))),
    ])
    this.#filled = 0
  }
}
