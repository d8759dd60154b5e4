import type { Clock } from '@godwit/base'
import { textFormatOf } from '../../foundation/document-texts/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { unreachable } from '../access/index.ts'
import { indexedFiles, type SearchEntryRow, type SearchRootRow } from '../search/index.ts'
import { documents } from './documents.store.ts'
import type { DocumentRow, QueueRow, TextPlaceRow } from './full-text.schema.ts'
import { textPlaces } from './places.store.ts'
import { readDocument, type ReadDeps } from './read-document.ts'
import { writeBatch, type Batch } from './write-batch.ts'

export interface TextWorkDeps extends ReadDeps {
  readonly clock: Clock
  readonly wanted: () => Promise<{ readonly isOn: boolean; readonly limitBytes: number }>
}

/** Of what is read and how it is cut into words. With another one all documents are read again. */
export const VERSION = 1
const NO_VERSION = -1

/** Documents that are written together. */
const BATCH = 32
/** Characters of a batch, and how long it takes at most: what is read is soon found. */
const BATCH_CHARACTERS = 2_000_000
const BATCH_MS = 3_000
/** Times that the reading of a file is begun and does not end. */
const ATTEMPTS = 3
const STORAGE_RETRY_MS = 60_000
const CRASH_RETRY_MS = 600_000

/**
 * Reads what is to be read, batch by batch, and throws the index away when the site does not want it any more. How far it has come
 * is in the database, so whoever goes on after a crash reads no document twice but those of one batch.
 */
export async function workOnTexts(deps: TextWorkDeps, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore;) {
    const { db, clock } = deps
    const { isOn, limitBytes } = await deps.wanted()
    const unwanted = await textPlaces.unwanted(db, isOn ? VERSION : NO_VERSION)
    for (const place of unwanted) await clearPlace(deps, place, signal)
    isMore = unwanted.length > 0
    if (!isOn) continue
    for (const root of await indexedFiles.roots(db, await textPlaces.missing(db))) await adopt(deps, root, limitBytes)
    const ids = await textPlaces.withWork(db, clock.now(), limitBytes)
    for (const root of await indexedFiles.roots(db, ids)) {
      signal.throwIfAborted()
      isMore = (await workOnPlace(deps, { root, limitBytes }, signal)) || isMore
    }
  }
}

/** Nothing is found in it from now on; it goes by and by. */
async function clearPlace({ db }: TextWorkDeps, { root_id: rootId }: TextPlaceRow, signal: AbortSignal): Promise<void> {
  await textPlaces.change(db, rootId, { version: 0 })
  while (await textPlaces.clearSome(db, rootId)) signal.throwIfAborted()
  await inTransaction(db, (tx) => textPlaces.remove(tx, rootId))
}

async function adopt({ db }: TextWorkDeps, root: SearchRootRow, limitBytes: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Under the lock: what is there now is looked at, what comes later comes by itself.
    const now = await indexedFiles.lock(tx, root)
    if (now === undefined) return
    const numbers = { filled_n: 0, fill_to: Number(now.next_n) }
    await textPlaces.add(tx, { root_id: root.id, version: VERSION, next_slot: 0, ...numbers, limit_bytes: limitBytes })
  })
}

interface Place {
  readonly root: SearchRootRow
  readonly limitBytes: number
}

/** @returns whether something was done */
async function workOnPlace(deps: TextWorkDeps, { root, limitBytes }: Place, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps
  const place = await textPlaces.of(db, root.id)
  if (place === undefined || place.version !== VERSION) return false
  if (Number(place.limit_bytes) !== limitBytes) {
    await textPlaces.enqueue(db, root.id, await documents.nowSmallEnough(db, root.id, limitBytes))
    await textPlaces.change(db, root.id, { limit_bytes: limitBytes })
  }
  await fill(deps, place, signal)
  const rows = await textPlaces.next(db, root.id, clock.now(), BATCH)
  if (rows.length === 0) return false
  await writeBatch(db, root.id, await readBatch(deps, { root, limitBytes }, rows, signal))
  return true
}

/** All entries that were there at first, as far as they may have words. */
async function fill({ db }: TextWorkDeps, place: TextPlaceRow, signal: AbortSignal): Promise<void> {
  const { root_id: rootId } = place
  const end = Number(place.fill_to)
  for (let at = Number(place.filled_n); at < end;) {
    signal.throwIfAborted()
    const { rows, to } = await indexedFiles.behind(db, rootId, at)
    const readable = rows.filter(isReadable).map(({ n }) => Number(n))
    await textPlaces.enqueue(db, rootId, readable)
    at = Math.min(to, end)
    await textPlaces.change(db, rootId, { filled_n: at })
  }
}

function isReadable({ is_folder, ending, name }: SearchEntryRow): boolean {
  return is_folder === 0 && textFormatOf(ending) !== undefined && unreachable(name) === undefined
}

async function readBatch(
  deps: TextWorkDeps,
  { root, limitBytes }: Place,
  rows: readonly QueueRow[],
  signal: AbortSignal,
): Promise<Batch> {
  const { db, clock } = deps
  const ns = rows.map(({ n }) => Number(n))
  const entries = new Map((await indexedFiles.numbered(db, root.id, ns)).map((entry) => [Number(entry.n), entry]))
  const known = new Map((await documents.numbered(db, root.id, ns)).map((row) => [Number(row.n), row]))
  const batch: Batch = { done: [], gone: [], read: [], renewed: [] }
  const until = clock.monotonic() + BATCH_MS
  let characters = 0
  for (const row of rows) {
    if (clock.monotonic() > until || characters > BATCH_CHARACTERS) break
    signal.throwIfAborted()
    const entry = entries.get(Number(row.n))
    const reading = entry && { root, entry, known: known.get(Number(row.n)), limitBytes }
    if (reading === undefined || !isReadable(reading.entry)) batch.gone.push(Number(row.n))
    else if (!isKnown(reading.entry, reading.known, limitBytes)) {
      characters += await readOne(deps, { row, reading }, batch, signal)
      continue
    }
    batch.done.push(row)
  }
  return batch
}

function isKnown(entry: SearchEntryRow, known: DocumentRow | undefined, limitBytes: number): boolean {
  if (known === undefined || Number(known.size) !== Number(entry.size)) return false
  if (known.reason === 'too-large' && Number(entry.size) <= limitBytes) return false
  return Number(known.modified_ms) === Number(entry.modified_ms)
}

interface One {
  readonly row: QueueRow
  readonly reading: Parameters<typeof readDocument>[1]
}

/** @returns characters that were read */
async function readOne(deps: TextWorkDeps, { row, reading }: One, batch: Batch, signal: AbortSignal): Promise<number> {
  const { db, clock } = deps
  const { entry } = reading
  const attempts = row.attempts + 1
  const document = { n: Number(row.n), size: Number(entry.size), modifiedMs: Number(entry.modified_ms) }
  await textPlaces.begin(db, row)
  const result =
    attempts > ATTEMPTS
      ? ({ kind: 'none', etag: '', reason: 'unreadable' } as const)
      : await readDocument(deps, reading, signal).catch(async (thrown: unknown) => {
          // A server that stops is no fault of the file either.
          await textPlaces.postpone(db, row, 0)
          throw thrown
        })
  switch (result.kind) {
    case 'later':
      await textPlaces.postpone(db, row, clock.now() + STORAGE_RETRY_MS)
      return 0
    case 'crash':
      await textPlaces.postpone(db, { ...row, attempts: attempts + 1 }, clock.now() + CRASH_RETRY_MS)
      return 0
    case 'same':
      batch.renewed.push(document)
      break
    case 'none':
      batch.read.push({ ...document, etag: result.etag, reason: result.reason })
      break
    case 'text':
      batch.read.push({ ...document, etag: result.etag, reason: '', found: result.found })
  }
  batch.done.push(row)
  return result.kind === 'text' ? result.found.text.length : 0
}
