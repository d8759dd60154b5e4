import type { Clock } from '@godwit/base'
import { KIND_FILE, KIND_FOLDER, warmUpReading } from '@godwit/storage'
import { unreachable } from '../files.paths.ts'
import { byPlace, firstOf, sortedIndex } from './name-order.ts'
import { NamePacker } from './packed-names.ts'
import { breather } from './sliced-sort.ts'

const NAMES = 5_000
/** By then the engine has compiled all of it. */
const ROUNDS = 3
const PAGE = 500

/**
 * Reads and sorts invented names, about 80 ms of work in short slices. Code that never ran is interpreted at first, and the
 * first big folder after a start would take twice as long to show.
 */
export async function warmUpListing(clock: Clock): Promise<void> {
  const breathe = breather(clock)
  await warmUpReading(ROUNDS)
  for (let round = 0; round < ROUNDS; round++) {
    const packer = new NamePacker()
    for (let at = 0; at < NAMES; at++) {
      // A step that shares no factor with the count brings every number once, out of order.
      const name = `IMG ${(at * 7_919) % NAMES} take ${round}.mov`
      if (unreachable(name) === undefined) packer.add(name, at % 50 === 0 ? KIND_FOLDER : KIND_FILE)
      if (at % PAGE === 0) await breathe()
    }
    const raw = packer.pack()
    const sorting = { compare: await byPlace(raw, breathe), breathe }
    await firstOf(raw.names.count, PAGE, sorting)
    await sortedIndex(raw, '', sorting)
  }
}
