import fs from 'node:fs'
import { promisify } from 'node:util'

const opendir = promisify(fs.opendir)

/** Entries the thread pool reads at once; turning them into objects keeps the event loop for 2 to 4 ms. */
const BATCH = 8_192

/**
 * What a folder holds, in the order of the disk, in batches. Node's readdir sorts what it read and makes all objects in one
 * go, which stops everybody for a second at a million entries; this gives others their turn and keeps no more than a batch.
 */
export async function* readFolder<Item>(path: string, take: (entry: fs.Dirent) => Item): AsyncGenerator<Item[]> {
  const folder = await opendir(path, { bufferSize: BATCH })
  let ahead = folder.read()
  try {
    for (let first = await ahead; first !== null; first = await ahead) {
      const items = [take(first)]
      // The rest of the batch is in memory by now.
      while (items.length < BATCH) {
        const entry = folder.readSync()
        if (entry === null) break
        items.push(take(entry))
      }
      const isLast = items.length < BATCH
      // The disk reads on while this batch is being looked at. A failure is met when its turn comes.
      if (!isLast) ahead = folder.read()
      ahead.catch(() => {})
      yield items
      if (isLast) return
    }
  } finally {
    await ahead.catch(() => {})
    await folder.close()
  }
}
