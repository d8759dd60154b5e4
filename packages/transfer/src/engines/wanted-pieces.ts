import type { Chunk, Piece } from '../manifests/layout.ts'
import type { NumberSet } from './number-set.ts'

/** Chunks hold pieces of files that the receiver leaves as they are. Those bytes are neither read nor sent. */
export function wantedPieces(chunk: Chunk, left: NumberSet): readonly Piece[] {
  return left.size === 0 ? chunk.pieces : chunk.pieces.filter(({ file }) => !left.has(file))
}

export function wantedBytes(chunk: Chunk, left: NumberSet): number {
  return left.size === 0 ? chunk.length : wantedPieces(chunk, left).reduce((sum, { length }) => sum + length, 0)
}

/** Parts of a chunk [from, end), relative to its beginning, ascending and joined: those that are wanted, or the others. */
export function partsOf(chunk: Chunk, isPart: (piece: Piece) => boolean): Array<readonly [number, number]> {
  const parts: Array<[number, number]> = []
  let at = 0
  for (const piece of chunk.pieces) {
    const end = at + piece.length
    const last = parts.at(-1)
    if (isPart(piece)) {
      if (last?.[1] === at) last[1] = end
      else parts.push([at, end])
    }
    at = end
  }
  return parts
}

/** Where each piece of a chunk begins in its block. */
export function blockOffsets(chunk: Chunk): number[] {
  let at = 0
  return chunk.pieces.map(({ length }) => {
    const offset = at
    at += length
    return offset
  })
}
