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
  try {
    for (let first = await folder.read(); first !== null; first = await folder.read()) {
      const items = [take(first)]
      // The rest of the batch is in memory by now.
      while (items.length < BATCH) {
        const entry = folder.readSync()
        if (entry === null) break
        items.push(take(entry))
      }
      yield items
      if (items.length < BATCH) return
    }
  } finally {
    await folder.close()
  }
}
