import type { Clock } from '@godwit/base'
import { KIND_FILE, KIND_FOLDER, warmUpReading, type ListPage } from '@godwit/storage'
import { FirstEntries } from './first-entries.ts'
import { FolderNames } from './folder-names.ts'
import { sortedIndex } from './name-order.ts'
import { breather } from './sliced-sort.ts'

const PAGES = 10
const NAMES_A_PAGE = 500
/** By then the engine has compiled all of it. */
const ROUNDS = 3

/**
 * Reads and sorts invented names, about 80 ms of work in short slices. Code that never ran is interpreted at first, and the
 * first big folder after a start would take twice as long to show.
 */
export async function warmUpListing(clock: Clock): Promise<void> {
  const breathe = breather(clock)
  await warmUpReading(ROUNDS)
  for (let round = 0; round < ROUNDS; round++) {
    const first = new FirstEntries(NAMES_A_PAGE)
    const names = await FolderNames.read(inventedPages(round), first, breathe)
    first.inOrder()
    await sortedIndex(await names.packed(breathe), '', breathe)
  }
}

/** Plain names as bytes and others as texts, in turn. */
async function* inventedPages(round: number): AsyncGenerator<ListPage> {
  for (let page = 0; page < PAGES; page++) {
    const kinds = new Uint8Array(NAMES_A_PAGE).fill(KIND_FILE)
    kinds.fill(KIND_FOLDER, 0, NAMES_A_PAGE / 50)
    const names = Array.from({ length: NAMES_A_PAGE }, (_, at) => {
      // A step that shares no factor with the count brings every number once, out of order.
      const number = ((page * NAMES_A_PAGE + at) * 7_919) % (PAGES * NAMES_A_PAGE)
      return `IMG ${number} take ${round}.mov`
    })
    let end = 0
    const ends = Uint32Array.from(names, ({ length }) => (end += length))
    yield page % 2 === 0
      ? { names: [], plain: { bytes: Buffer.from(names.join('')), ends }, kinds, leftOut: 0 }
      : { names, kinds, leftOut: 0 }
  }
}
