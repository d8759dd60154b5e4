import { orderBy } from '@godwit/contract'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Mark } from './folder-index.ts'

const shape = z.strictObject({
  v: z.literal(1),
  by: orderBy,
  desc: z.boolean(),
  name: z.string().max(1024),
  folder: z.boolean(),
  value: z.union([z.number(), z.string(), z.null()]),
})

export interface Cursor extends Mark {
  readonly by: z.infer<typeof orderBy>
  readonly isDescending: boolean
}

/** A cursor is the place of the last entry in the order, not a count: entries that come or go do not move it. */
export function encodeCursor({ by, isDescending, name, isFolder, value }: Cursor): string {
  return Buffer.from(JSON.stringify({ v: 1, by, desc: isDescending, name, folder: isFolder, value })).toString(
    'base64url',
  )
}

/** @throws AppError CURSOR_INVALID for anything not made by encodeCursor, or made for another order */
export function decodeCursor(text: string, wanted: Pick<Cursor, 'by' | 'isDescending'>): Mark {
  const parsed = shape.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success || parsed.data.by !== wanted.by || parsed.data.desc !== wanted.isDescending) {
    throw new AppError('CURSOR_INVALID')
  }
  const { name, folder, value } = parsed.data
  return { name, isFolder: folder, value }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // What is no JSON is no cursor either; the schema refuses it.
  }
}
