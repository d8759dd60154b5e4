/**
 * The tree hash of a file, the same at every end: page, server, desktop client.
 *
 * - A file of `size` bytes is cut into leaves of 1 MiB; the last one is shorter. An empty file has one empty leaf.
 * - leaf(i) = H(bytes of leaf i)
 * - node    = H(0x01 || left || right). As in RFC 6962 §2.1 the left side of n leaves holds the largest power of two below n,
 *   so a run of 2^k leaves that begins at a multiple of 2^k is one 32-byte node, whatever part it came in.
 * - root    = H("godwit-tree-1\n" || size as 8 bytes, big endian || topmost node). The size fixes the shape of the tree, so
 *   a node can never be passed off as a leaf.
 *
 * H is BLAKE3 with 32 bytes of output; it is an argument here because page and server compute it with different libraries.
 */

export type Hash = (data: Uint8Array) => Uint8Array

/** Bytes of file under one leaf. */
export const LEAF_BYTES = 1_048_576

/** The hash over leaves [leaf, leaf + 2^level); plain JSON, so that it can be kept beside the part it covers. */
export interface TreeNode {
  /** Index of the first leaf; a multiple of 2^level. */
  readonly leaf: number
  readonly level: number
  /** 64 lower-case hexadecimal digits. */
  readonly hash: string
}

/** Leaves of a file: at least 1. */
export function leafCount(size: number): number {
  return Math.max(1, Math.ceil(size / LEAF_BYTES))
}

/** The smallest equivalent set of nodes: sorted, without duplicates, complete siblings merged. O(nodes). */
export function joinNodes(hash: Hash, nodes: Iterable<TreeNode>): TreeNode[] {
  const joined: TreeNode[] = []
  for (const next of [...nodes].toSorted((a, b) => a.leaf - b.leaf || b.level - a.level)) {
    const last = joined.at(-1)
    if (last !== undefined && next.leaf < endOf(last)) continue
    joined.push(next)
    mergeTail(hash, joined)
  }
  return joined
}

/** Leaves of a file of `size` bytes that no node covers, as [first, end) pairs, ascending. */
export function missingLeaves(size: number, nodes: readonly TreeNode[]): Array<readonly [number, number]> {
  const gaps: Array<readonly [number, number]> = []
  let at = 0
  for (const node of nodes.toSorted((a, b) => a.leaf - b.leaf)) {
    if (node.leaf > at) gaps.push([at, node.leaf])
    at = Math.max(at, endOf(node))
  }
  if (at < leafCount(size)) gaps.push([at, leafCount(size)])
  return gaps
}

/**
 * Root over nodes that cover every leaf of a file of `size` bytes.
 * @returns 64 lower-case hexadecimal digits
 * @throws Error when a leaf is missing or lies beyond the end of the file
 */
export function treeRoot(hash: Hash, size: number, nodes: Iterable<TreeNode>): string {
  const row = joinNodes(hash, nodes)
  const covered = row.reduce((at, node) => (node.leaf === at ? endOf(node) : Number.NaN), 0)
  if (covered !== leafCount(size)) throw new Error(`tree nodes cover ${covered} of ${leafCount(size)} leaves`)
  const top = row.map((node) => fromHex(node.hash)).reduceRight((right, left) => hashPair(hash, left, right))
  const head = new TextEncoder().encode('godwit-tree-1\n')
  const whole = new Uint8Array(head.length + 8 + top.length)
  whole.set(head)
  new DataView(whole.buffer).setBigUint64(head.length, BigInt(size))
  whole.set(top, head.length + 8)
  return toHex(hash(whole))
}

/** A node for one leaf. */
export function leafNode(leaf: number, digest: Uint8Array): TreeNode {
  return { leaf, level: 0, hash: toHex(digest) }
}

function endOf(node: TreeNode): number {
  return node.leaf + 2 ** node.level
}

function mergeTail(hash: Hash, row: TreeNode[]): void {
  for (;;) {
    const right = row.at(-1)
    const left = row.at(-2)
    if (left === undefined || right === undefined) return
    const siblings = left.level === right.level && endOf(left) === right.leaf && left.leaf % 2 ** (left.level + 1) === 0
    if (!siblings) return
    const merged = toHex(hashPair(hash, fromHex(left.hash), fromHex(right.hash)))
    row.splice(-2, 2, { leaf: left.leaf, level: left.level + 1, hash: merged })
  }
}

function hashPair(hash: Hash, left: Uint8Array, right: Uint8Array): Uint8Array {
  const pair = new Uint8Array(1 + left.length + right.length)
  pair[0] = 1
  pair.set(left, 1)
  pair.set(right, 1 + left.length)
  return hash(pair)
}

function toHex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(at * 2, at * 2 + 2), 16))
}
