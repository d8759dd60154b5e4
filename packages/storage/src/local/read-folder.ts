import fs from 'node:fs'
import { promisify } from 'node:util'

const opendir = promisify(fs.opendir)

/** Entries the thread pool reads at once; turning them into objects blocks the event loop for 2 to 4 ms. */
const BATCH = 8_192

/**
 * What a folder holds, in the order of the disk, in batches. Node's readdir sorts what it read and makes all objects in one
 * go, which blocks the process for a second at a million entries; this yields between batches and keeps only one in memory.
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
      // The disk reads ahead while this batch is processed. A failure is thrown when the next batch is used.
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
