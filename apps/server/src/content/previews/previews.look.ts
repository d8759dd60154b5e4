import { KiB } from '@godwit/base'
import type { Conversions } from '../../foundation/conversions/index.ts'
import { storageError, withAppErrors } from '../../foundation/storages/index.ts'
import { nameOf, type Found } from '../access/index.ts'
import { convertedView, markedView, playedView, viewOf, type View } from './previews.policy.ts'
import type { Watermarks } from './watermarks.ts'

/** Enough for every signature, and for the size of a picture behind the notes of a camera. */
const HEAD_BYTES = 64 * KiB

/** How a file can be shown, by its first bytes. */
export async function lookAt({ location, entry }: Found, signal: AbortSignal): Promise<View> {
  const name = nameOf(location)
  if (entry.size === 0) return viewOf(name, 0, new Uint8Array())
  const reader = await withAppErrors(() => location.store.openRead(location.key))
  try {
    const { size } = reader.entry
    const head = new Uint8Array(Math.min(HEAD_BYTES, size))
    let filled = 0
    for await (const chunk of reader.stream({ start: 0, end: head.length }, signal)) {
      head.set(chunk, filled)
      filled += chunk.length
    }
    return viewOf(name, size, head.subarray(0, filled))
  } catch (thrown) {
    throw storageError(thrown)
  } finally {
    await reader.close()
  }
}

/** The same, as the site lets it be shown now. */
export async function lookToShow(
  { watermarks, conversions }: { readonly watermarks: Watermarks; readonly conversions: Conversions },
  found: Found,
  signal: AbortSignal,
): Promise<View> {
  const isMarked = await watermarks.isOn()
  const { size } = found.entry
  const file = { name: nameOf(found.location), size, isMarked, has: conversions.has }
  const view = playedView(convertedView(await lookAt(found, signal), file), {
    hasFilms: conversions.films !== undefined,
  })
  return isMarked ? markedView(view, size) : view
}
