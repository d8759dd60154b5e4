import { LEAF_BYTES } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'

/** S3 takes no more parts than that, and every list of ranges stays short. */
const MAX_PARTS = 10_000
const LARGEST_PART = 1024 * LEAF_BYTES

/**
 * Part size of an upload: whole leaves, at most MAX_PARTS of them.
 * @param wanted what the client asked for, or the installation's default
 */
export function partSizeOf(size: number | null, wanted: number): number {
  const wholeLeaves = (bytes: number): number => Math.max(1, Math.ceil(bytes / LEAF_BYTES)) * LEAF_BYTES
  const least = size === null ? 0 : Math.ceil(size / MAX_PARTS)
  return Math.max(wholeLeaves(least), Math.min(wholeLeaves(wanted), LARGEST_PART))
}

export interface PartSpan {
  readonly index: number
  readonly start: number
  readonly end: number
}

export interface PartRule {
  readonly size: number
  readonly partSize: number
  /** Whether a part may be continued where its durable bytes end. */
  readonly freeParts: boolean
  /** Ends of durable ranges. */
  readonly isDurableEnd: (offset: number) => boolean
}

/**
 * The bytes that a PUT at `offset` carries: from there to the end of its part or of the file.
 * @param length announced by the sender; undefined when it did not say
 * @throws AppError UPLOAD_PART_INVALID with what would have been right
 */
export function partSpan(rule: PartRule, offset: number, length: number | undefined): PartSpan {
  const { size, partSize } = rule
  const isEmptyFile = size === 0 && offset === 0
  if (!Number.isSafeInteger(offset) || offset < 0 || (offset >= size && !isEmptyFile)) {
    throw new AppError('UPLOAD_PART_INVALID', { reason: 'beyond-end', size })
  }
  const isAligned = offset % partSize === 0 || (rule.freeParts && rule.isDurableEnd(offset))
  if (!isAligned) throw new AppError('UPLOAD_PART_INVALID', { reason: 'misaligned', partSize })
  const index = Math.floor(offset / partSize)
  const end = Math.min((index + 1) * partSize, size)
  if (length !== undefined && length !== end - offset) {
    throw new AppError('UPLOAD_PART_INVALID', { reason: 'length', expectedBytes: end - offset })
  }
  return { index, start: offset, end }
}
