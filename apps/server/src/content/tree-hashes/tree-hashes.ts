import { blake3, Blake3Hasher } from '@napi-rs/blake-hash'
import { joinNodes, LEAF_BYTES, missingLeaves, treeRoot, type Hash, type TreeNode } from '@godwit/base'
import type { ObjectReader } from '@godwit/storage'

export { Blake3Hasher }

export const blake3Hash: Hash = (data) => blake3(asBuffer(data))

/** The same memory as a Buffer, which the native hash wants. */
export function asBuffer(data: Uint8Array): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/**
 * Hashes the leaves of a file while its bytes go by. Bytes come in order from `start` on; a leaf counts when it passed
 * whole, so the piece before the first leaf boundary is left out. The last leaf ends with the file, once its size is known.
 */
export class LeafHasher {
  readonly #hasher = new Blake3Hasher()
  readonly #size: number
  readonly #leaves: TreeNode[] = []
  #at: number
  #inLeaf: boolean

  /** @param size undefined while unknown: then only full leaves count */
  constructor(start: number, size: number | undefined) {
    this.#at = start
    this.#size = size ?? Number.MAX_SAFE_INTEGER
    this.#inLeaf = start % LEAF_BYTES === 0
  }

  /** Position of the next byte. */
  get at(): number {
    return this.#at
  }

  update(chunk: Uint8Array): void {
    const bytes = asBuffer(chunk)
    for (let done = 0; done < bytes.length;) {
      const end = this.#leafEnd()
      const count = Math.min(bytes.length - done, end - this.#at)
      if (this.#inLeaf) this.#hasher.update(bytes.subarray(done, done + count))
      done += count
      this.#at += count
      if (this.#at === end) this.#endLeaf()
    }
  }

  /** Leaves of [from, to) hashed so far, ascending. */
  leaves(from: number, to: number): TreeNode[] {
    // They follow one another without a gap, so none is looked at to find these.
    const first = this.#leaves[0]?.leaf ?? 0
    const begin = Math.max(0, Math.ceil(from / LEAF_BYTES) - first)
    const end = to >= this.#size ? this.#leaves.length : Math.max(0, Math.floor(to / LEAF_BYTES) - first)
    return this.#leaves.slice(begin, end)
  }

  #leafEnd(): number {
    return Math.min((Math.floor(this.#at / LEAF_BYTES) + 1) * LEAF_BYTES, this.#size)
  }

  #endLeaf(): void {
    if (this.#inLeaf) {
      const leaf = Math.ceil(this.#at / LEAF_BYTES) - 1
      this.#leaves.push({ leaf, level: 0, hash: this.#hasher.digest('hex') })
      this.#hasher.reset()
    }
    this.#inLeaf = true
  }
}

/** Whether leaves seen now differ from nodes recorded before, where they speak of the same bytes. */
export function contradicts(recorded: readonly TreeNode[], seen: readonly TreeNode[]): boolean {
  const byLeaf = new Map(seen.map((node) => [node.leaf, node]))
  return recorded.some((node) => {
    const below = Array.from({ length: 2 ** node.level }, (_, index) => byLeaf.get(node.leaf + index))
    const known = below.filter((leaf) => leaf !== undefined)
    if (known.length < below.length) return false
    return joinNodes(blake3Hash, known)[0]?.hash !== node.hash
  })
}

/** Topmost node over the leaves of one part, shaped as every tree here; '' when no leaf is whole. */
export function nodeOf(leaves: readonly TreeNode[]): string {
  return joinNodes(blake3Hash, leaves)
    .map(({ hash }) => hash)
    .reduceRight((right, left) => {
      const pair = Buffer.concat([Buffer.of(1), Buffer.from(left, 'hex'), Buffer.from(right, 'hex')])
      return right === '' ? left : blake3(pair).toString('hex')
    }, '')
}

/** Root of a whole file in memory. */
export function rootOfBytes(content: Uint8Array): string {
  const nodes: TreeNode[] = []
  for (let at = 0; at === 0 || at < content.length; at += LEAF_BYTES) {
    nodes.push({
      leaf: at / LEAF_BYTES,
      level: 0,
      hash: blake3(asBuffer(content.subarray(at, at + LEAF_BYTES))).toString('hex'),
    })
  }
  return treeRoot(blake3Hash, content.length, nodes)
}

/** Whether the nodes of a file give its root without a look at its bytes. */
export function coversAll(size: number, nodes: readonly TreeNode[]): boolean {
  return size === 0 || missingLeaves(size, joinNodes(blake3Hash, nodes)).length === 0
}

/** Root of a file from its recorded nodes; leaves that no node covers are read back. */
export async function rootOf(
  size: number,
  nodes: readonly TreeNode[],
  open: () => Promise<ObjectReader>,
): Promise<string> {
  if (size === 0) return rootOfBytes(new Uint8Array())
  const known = joinNodes(blake3Hash, nodes)
  const gaps = missingLeaves(size, known)
  if (gaps.length === 0) return treeRoot(blake3Hash, size, known)
  await using reader = await open()
  for (const [first, end] of gaps) {
    const span = { start: first * LEAF_BYTES, end: Math.min(end * LEAF_BYTES, size) }
    const hasher = new LeafHasher(span.start, size)
    for await (const chunk of reader.stream(span)) hasher.update(chunk)
    known.push(...hasher.leaves(span.start, span.end))
  }
  return treeRoot(blake3Hash, size, known)
}

/** Tree hash of stored bytes, all of them read back. @param open called once, unless the file is empty */
export function treeHashOf(size: number, open: () => Promise<ObjectReader>): Promise<string> {
  return rootOf(size, [], open)
}
