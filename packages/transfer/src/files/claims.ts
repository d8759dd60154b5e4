import { constants } from 'node:fs'
import { LEAF_BYTES } from '@godwit/base'
import type { TreeHash } from '../hashes/tree-hash.ts'
import type { KnownFile, Replay } from '../journals/replay.ts'
import type { DiskFs } from './disk-fs.ts'

export interface ClaimDeps {
  readonly fs: DiskFs
  readonly hash: TreeHash
  readonly partPath: (path: string) => string
  readonly finalPath: (path: string) => string
}

/** What the journal claims and the disk confirms. Every other claim is dropped here, so that nothing relies on it later. */
export function confirmedFiles(deps: ClaimDeps, past: Replay): KnownFile[] {
  const refuted = new Map<string, Set<number>>()
  for (const { path, leaf } of past.doubtful) {
    const file = past.files.get(path)
    const claimed = file?.leaves.get(leaf)
    if (file === undefined || claimed === undefined) continue
    const length = Math.min(LEAF_BYTES, file.size - leaf * LEAF_BYTES)
    if (holdsLeaf(deps, path, { offset: leaf * LEAF_BYTES, length, claimed })) continue
    refuted.set(path, (refuted.get(path) ?? new Set()).add(leaf))
  }
  return [...past.files.values()].map((file) => confirmed(deps, file, refuted.get(file.path)))
}

function confirmed(deps: ClaimDeps, file: KnownFile, refuted: ReadonlySet<number> | undefined): KnownFile {
  if (file.isDone) return { ...file, isDone: isInPlace(deps, file) }
  if (file.leaves.size === 0) return file
  const hasPart = fileSize(deps.fs, deps.partPath(file.path)) === file.size
  const leaves = hasPart ? [...file.leaves].filter(([leaf]) => refuted?.has(leaf) !== true) : []
  // Stopped between its last leaf and its name: that leaf comes once more, and with it the time, the rights and the name.
  if (leaves.length === Math.ceil(file.size / LEAF_BYTES)) leaves.pop()
  return { ...file, leaves: new Map(leaves) }
}

interface ClaimedLeaf {
  readonly offset: number
  readonly length: number
  readonly claimed: Uint8Array
}

function holdsLeaf({ fs, hash, partPath }: ClaimDeps, path: string, at: ClaimedLeaf): boolean {
  const block = new Uint8Array(at.length)
  try {
    const file = fs.openSync(partPath(path), constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const count = fs.readSync(file, block, 0, block.length, at.offset)
      return count === block.length && Buffer.compare(hash.leaf(block), at.claimed) === 0
    } finally {
      fs.closeSync(file)
    }
  } catch {
    // Missing or unreadable: the disk does not confirm the claim.
    return false
  }
}

/** A finished file that has been changed since is not ours any more. */
function isInPlace({ fs, finalPath }: ClaimDeps, file: KnownFile): boolean {
  try {
    const stat = fs.lstatSync(finalPath(file.path))
    return stat.isFile() && stat.size === file.size && Math.trunc(stat.mtimeMs) === file.mtimeMs
  } catch {
    return false
  }
}

function fileSize(fs: DiskFs, path: string): number {
  try {
    return fs.lstatSync(path).size
  } catch {
    // Not there: no leaf of it can count.
    return -1
  }
}
