import { StorageError } from '../errors.ts'
import type { Bucket, StoredObject } from './bucket.ts'

/** The text of a small object of our own. @returns undefined when it is gone since it was listed */
export async function textOfNote(bucket: Pick<Bucket, 'read'>, note: StoredObject): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    const bytes = bucket.read({ ...note, kind: 'file' }, { start: 0, end: note.size })
    for await (const chunk of bytes) chunks.push(Buffer.from(chunk))
  } catch (thrown) {
    if (thrown instanceof StorageError && thrown.reason === 'conflict') return undefined
    throw thrown
  }
  return Buffer.concat(chunks).toString('utf8')
}
