import type { ListPage } from '@godwit/storage'
import type { FolderIndex } from './folder-index.ts'
import { hugeIndex, type HugeReading } from './huge/huge.ts'
import { SMALL_MAX, smallIndex } from './small.ts'

/** The index of what a storage lists: in one go, or in slices once the folder turns out to be huge. */
export async function readFolder(list: AsyncIterable<ListPage>, reading: HugeReading): Promise<FolderIndex> {
  const source = list[Symbol.asyncIterator]()
  const pages: ListPage[] = []
  let count = 0
  try {
    while (count <= SMALL_MAX) {
      const step: IteratorResult<ListPage, unknown> = await source.next()
      if (step.done === true) return smallIndex(pages, reading.version)
      pages.push(step.value)
      count += step.value.kinds.length
    }
    return await hugeIndex(resumed(pages, source), reading)
  } finally {
    await source.return?.()
  }
}

/** What was read already, then the rest. The first pages are let go of on the way. */
async function* resumed(read: ListPage[], source: AsyncIterator<ListPage>): AsyncGenerator<ListPage> {
  for (let page = read.shift(); page !== undefined; page = read.shift()) yield page
  for (let step = await source.next(); step.done !== true; step = await source.next()) yield step.value
}
