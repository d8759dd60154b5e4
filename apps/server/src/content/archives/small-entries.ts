import { KiB, MiB } from '@godwit/base'
import type { ConflictPolicy } from '@godwit/contract'
import type { Entry } from 'yauzl'
import type { UserCtx } from '../../kernel/context.ts'
import type { PlaceIds } from '../access/index.ts'
import { requireSize, targetResolver, type SmallFile } from '../intake/index.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'
import type { ArchivesDeps } from './archive-uploads.ts'
import type { OpenedZip } from './zip-reader.ts'

/** A larger one is an upload of its own. */
const ENTRY_MAX = 512 * KiB
/** Content that one job holds in memory. */
const BYTES_MAX = 8 * MiB

/** Where the entries go, by whom, and what happens to those that are there. */
interface Destination extends PlaceIds {
  readonly ctx: UserCtx
  readonly folder: string
  readonly conflict: ConflictPolicy
}

interface NamedEntry {
  readonly entry: Entry
  /** As the archive has it. */
  readonly name: string
  /** From the folder down. */
  readonly names: readonly string[]
}

interface Fault {
  readonly name: string
  readonly thrown: unknown
}

/** Small files of an archive that are written together: one by one each of them waits for the disk several times. */
export class SmallEntries {
  readonly #deps: ArchivesDeps
  readonly #destination: Destination
  readonly #targetOf: ReturnType<typeof targetResolver>
  #waiting: Array<{ readonly name: string; readonly file: SmallFile }> = []
  #bytes = 0

  constructor(deps: ArchivesDeps, destination: Destination) {
    this.#deps = deps
    this.#destination = destination
    this.#targetOf = targetResolver(deps.files, destination.ctx, destination)
  }

  static takes({ uncompressedSize }: Entry): boolean {
    return uncompressedSize <= ENTRY_MAX
  }

  get isFull(): boolean {
    return this.#bytes > BYTES_MAX - ENTRY_MAX
  }

  /** Reads an entry. @throws AppError ARCHIVE_UNREADABLE and as an upload of it */
  async add(zip: OpenedZip, { entry, name, names }: NamedEntry): Promise<void> {
    const { intake } = this.#deps
    const { ctx, conflict, spaceId } = this.#destination
    requireSize(intake.limits, entry.uncompressedSize)
    if (ctx.door !== 'transfer') await intake.requireWeb(ctx.principal, spaceId)
    const target = await this.#targetOf({ filename: '', relativePath: names.join('/') })
    const content = Buffer.concat(await Array.fromAsync(zip.read(entry)))
    const modifiedMs = Math.max(0, entry.getLastModDate().getTime() || 0)
    this.#waiting.push({ name, file: { target, content, hash: rootOfBytes(content), modifiedMs, conflict } })
    this.#bytes += content.length
  }

  /** Writes what waits. @returns why entries could not be written */
  async write(): Promise<readonly Fault[]> {
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    if (waiting.length === 0) return []
    const files = waiting.map(({ file }) => file)
    const faults = await this.#deps.intake.storeSmallFiles(this.#destination.ctx, { files, isOfJob: true }).then(
      (outcomes) => outcomes.map(({ error }) => error),
      // Nothing could be written for one reason: it is that of each of them.
      (thrown: unknown) => files.map(() => thrown),
    )
    return waiting.flatMap(({ name }, at) => (faults[at] === undefined ? [] : [{ name, thrown: faults[at] }]))
  }
}
