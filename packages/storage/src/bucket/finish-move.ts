import type { Semaphore } from '@godwit/base'
import type { Bucket, StoredObject } from './bucket.ts'

export interface CutMove {
  readonly bucket: Pick<Bucket, 'head' | 'copy' | 'deleteEach'>
  /** What is still at the source, from the beginning at each call. */
  readonly pages: () => AsyncIterable<readonly StoredObject[]>
  readonly keyAtTarget: (key: string) => string
  /** Whether an object that stands at the target came with the move; asked where the tags do not say that it is a copy. */
  readonly isOurs: (target: StoredObject) => Promise<boolean>
  readonly lanes: Semaphore
}

/**
 * Copies what has not arrived and removes what has. Whatever was put at either place meanwhile stays there.
 * @returns false when there are files and none had arrived: then nothing was changed
 */
export async function finishMove(move: CutMove): Promise<boolean> {
  if (!(await hasBegun(move))) return false
  const { bucket, pages, lanes } = move
  const markers: StoredObject[] = []
  // A page at a time, as removals do: deleting while listing must not skip what moves up.
  for await (const page of pages()) {
    const arrived = await Promise.all(page.map((object) => lanes.run(() => bringOver(move, object))))
    const gone = page.filter((_object, at) => arrived[at])
    markers.push(...gone.filter(isMarker))
    await bucket.deleteEach(gone.filter((object) => !isMarker(object)))
  }
  await bucket.deleteEach(markers.toReversed())
  return true
}

/** Markers of folders prove nothing: they are empty, whoever made them. Where nothing else is left, the files are there. */
async function hasBegun(move: CutMove): Promise<boolean> {
  let isLeft = false
  for await (const page of move.pages()) {
    for (const object of page) {
      if (isMarker(object)) continue
      isLeft = true
      const there = await move.bucket.head(move.keyAtTarget(object.key))
      if (there !== undefined && (await isCopyOf(move, object, there))) return true
    }
  }
  return !isLeft
}

/** @returns whether it is at the target, so that it can go */
async function bringOver(move: CutMove, object: StoredObject): Promise<boolean> {
  const key = move.keyAtTarget(object.key)
  const there = isMarker(object) ? undefined : await move.bucket.head(key)
  if (there !== undefined) return isCopyOf(move, object, there)
  await move.bucket.copy(object, key)
  return true
}

/** A file that was uploaded in parts has another tag than its copy. A copy is never older than what it was made of. */
async function isCopyOf({ isOurs }: CutMove, object: StoredObject, there: StoredObject): Promise<boolean> {
  if (there.size !== object.size) return false
  return there.etag === object.etag || (there.modifiedMs >= object.modifiedMs && (await isOurs(there)))
}

/** Whether it stands for a folder: an empty object 'key/'. */
export function isMarker(object: StoredObject): boolean {
  return object.key.endsWith('/')
}
