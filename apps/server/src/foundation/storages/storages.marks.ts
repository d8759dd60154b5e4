import type { ObjectStore } from '@godwit/storage'
import { z } from 'zod'

/** Whose a storage is. */
export interface Owner {
  /** See installation.ts. */
  readonly installation: string
  readonly storage: number
}

const Mark = z.object({ product: z.literal('godwit'), installation: z.string(), storage: z.int() })

/**
 * What a mark says to one who expects a storage to be its own.
 * - ours: it is
 * - none: nobody has marked it
 * - sibling: another storage of this installation is there
 * - foreign: another installation's, or what cannot be read
 */
export type MarkState = 'ours' | 'none' | 'sibling' | 'foreign'

export function markText({ installation, storage }: Owner): string {
  return JSON.stringify({ product: 'godwit', installation, storage } satisfies z.input<typeof Mark>)
}

/** Whose mark a text is; undefined for what is no mark. */
export function markOwner(text: string): Owner | undefined {
  try {
    return Mark.safeParse(JSON.parse(text)).data
  } catch {
    // Half a mark is nobody's that is known.
    return undefined
  }
}

export function markState(text: string | undefined, owner: Owner): MarkState {
  if (text === undefined) return 'none'
  const found = markOwner(text)
  if (found?.installation !== owner.installation) return 'foreign'
  return found.storage === owner.storage ? 'ours' : 'sibling'
}

/** @throws StorageError, 'not-found' when the storage is not there */
export async function readMarkState(store: ObjectStore, owner: Owner): Promise<MarkState> {
  return markState(await store.readMark(), owner)
}
