import type { Clock } from '@godwit/base'
import { StorageError, type Entry } from '@godwit/storage'
import {
  checkPath,
  HASH_BYTES,
  PathClashes,
  treeHash,
  type FileFailure,
  type ReadSpans,
  type Source,
  type SourceItem,
  type SourceSpan,
  type SpanFault,
  type SpansRead,
  type TreeHash,
} from '@godwit/transfer/endpoints'
import { paceUntil, type Pace } from '../account-speeds/index.ts'
import { nameOf, shownEntries, within, type Found, type Location } from '../access/index.ts'

/** Names of a folder whose sizes are asked for at once. */
const NAMES_AT_ONCE = 1_000

/** A source that follows the rights of its account. */
interface StorageSource extends Source {
  /** @param selected the same entries, opened again */
  renew(selected: readonly Found[]): void
}

/**
 * Entries of a place as the source of a transfer. What the rules hide from the principal is neither listed nor read.
 * @param given opened with the needs of a download; nothing else is checked here
 * @param pace how fast the account may receive
 */
export function storageSource(given: readonly Found[], clock: Clock, pace?: Pace): StorageSource {
  const closing = new AbortController()
  let selected = given
  return {
    renew: (again) => void (selected = again),
    list: (onSkipped) => listSelection(selected, onSkipped),
    async read(request) {
      await paceUntil(pace, sum(request.spans), closing.signal)
      const began = clock.monotonic()
      const read = await readSpans(selected, request)
      return { ...read, busyMs: clock.monotonic() - began }
    },
    close() {
      closing.abort()
      return Promise.resolve()
    },
  }
}

function sum(spans: readonly SourceSpan[]): number {
  return spans.reduce((bytes, { length }) => bytes + length, 0)
}

interface Walk {
  readonly top: number
  readonly clashes: PathClashes
  readonly onSkipped: (skipped: FileFailure) => void
}

async function* listSelection(
  selected: readonly Found[],
  onSkipped: (skipped: FileFailure) => void,
): AsyncGenerator<SourceItem> {
  const clashes = new PathClashes()
  for (const [top, found] of selected.entries()) {
    const name = nameOf(found.location) || 'files'
    yield* walk({ top, clashes, onSkipped }, found, { name, below: '' })
  }
}

interface Step {
  /** Path in the transfer. */
  readonly name: string
  /** Path below the selected entry, as the storage spells it; '' for the entry itself. */
  readonly below: string
}

async function* walk(how: Walk, { location, entry }: Found, step: Step): AsyncGenerator<SourceItem> {
  const item = itemOf(how, entry, step)
  if (!item) return
  yield item
  if (entry.kind === 'folder') yield* walkFolder(how, location, step)
}

async function* walkFolder(how: Walk, folder: Location, step: Step): AsyncGenerator<SourceItem> {
  for await (const shown of batchesOf(how, folder, step)) {
    for (const found of await looked(folder, shown)) {
      const name = nameOf(found.location)
      const below = step.below === '' ? name : `${step.below}/${name}`
      yield* walk(how, found, { name: `${step.name}/${name}`, below })
    }
  }
}

async function* batchesOf({ onSkipped }: Walk, folder: Location, { name }: Step): AsyncGenerator<Location[]> {
  let batch: Location[] = []
  try {
    for await (const { location } of shownEntries(folder)) {
      batch.push(location)
      if (batch.length < NAMES_AT_ONCE) continue
      yield batch
      batch = []
    }
  } catch {
    // Gone or not permitted; the rest of the tree is still worth sending.
    onSkipped({ path: name, code: 'SOURCE_UNREADABLE' })
  }
  yield batch
}

/** Entries with what the list does not say of them; those that are gone are left out. */
async function looked({ store }: Location, shown: readonly Location[]): Promise<Found[]> {
  const entries = await Promise.all(shown.map(({ key }) => store.stat(key)))
  return shown.flatMap((location, at) => {
    const entry = entries[at]
    return entry === undefined ? [] : [{ location, entry }]
  })
}

function itemOf({ top, clashes, onSkipped }: Walk, entry: Entry, { name, below }: Step): SourceItem | undefined {
  const skip = (code: string): undefined => {
    onSkipped({ path: name, code })
  }
  if (entry.isUnreadable) return skip('SOURCE_UNREADABLE')
  const checked = checkPath(name)
  if (!checked.ok) return skip(`PATH_REFUSED ${checked.fault}`)
  const kind = entry.kind === 'folder' ? 'directory' : 'file'
  if (clashes.add(checked.path, kind) !== undefined) return skip('PATH_REFUSED clash')
  const { size, modifiedMs, etag } = entry
  const mode = kind === 'file' ? 0o640 : 0o750
  const mtimeMs = Math.max(0, Math.trunc(modifiedMs))
  return { ref: [etag, top, below].join('/'), entry: { kind, path: checked.path, size, mtimeMs, mode } }
}

async function readSpans(
  selected: readonly Found[],
  { block, hash, spans }: ReadSpans,
): Promise<Omit<SpansRead, 'busyMs'>> {
  const leaves = new Uint8Array(spans.length * HASH_BYTES)
  const faults: Array<{ span: number; fault: SpanFault }> = []
  const algorithm = treeHash(hash)
  await Promise.all(
    spans.map(async (span, index) => {
      const target = block.subarray(span.blockOffset, span.blockOffset + span.length)
      const read = await readSpan(selected, span, { target, algorithm })
      if (typeof read === 'string') faults.push({ span: index, fault: read })
      else leaves.set(read, index * HASH_BYTES)
    }),
  )
  faults.sort((one, other) => one.span - other.span)
  return { leaves, faults }
}

interface Into {
  readonly target: Uint8Array
  readonly algorithm: TreeHash
}

async function readSpan(
  selected: readonly Found[],
  { ref, size, fileOffset, length }: SourceSpan,
  { target, algorithm }: Into,
): Promise<Uint8Array | SpanFault> {
  try {
    const { location, etag } = locate(selected, ref)
    await using reader = await location.store.openRead(location.key)
    // The tag changes with the content, whatever the time says.
    if (reader.entry.size !== size || reader.entry.etag !== etag) return 'SOURCE_CHANGED'
    let at = 0
    for await (const chunk of reader.stream({ start: fileOffset, end: fileOffset + length })) {
      target.set(chunk, at)
      at += chunk.length
    }
    return at === length ? algorithm.leaf(target) : 'SOURCE_CHANGED'
  } catch (thrown) {
    return thrown instanceof StorageError && thrown.reason === 'conflict' ? 'SOURCE_CHANGED' : 'SOURCE_UNREADABLE'
  }
}

/** What an item was listed as. @throws AppError for what is hidden by now */
function locate(selected: readonly Found[], ref: string): { readonly location: Location; readonly etag: string } {
  const [etag = '', top, ...names] = ref.split('/')
  const found = selected[Number(top)]
  if (found === undefined) throw new Error('an item of another source')
  const location = names.filter((name) => name !== '').reduce(within, found.location)
  return { location, etag }
}
