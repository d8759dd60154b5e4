import { MiB } from '@godwit/base'
import type { SearchReply } from '@godwit/contract'
import { TextFault, textFormatOf } from '../../../foundation/document-texts/index.ts'
import { extract } from '../../../foundation/document-texts/extract.ts'
import type { World } from '../../../testing/worlds.ts'
import { rootKeyOf } from '../../search/index.ts'
import { SearchSite } from '../../search/testing/search-site.ts'
import { createContents, createEntryWatch } from '../full-text.feature.ts'
import type { FULL_TEXT_TABLES } from '../full-text.schema.ts'
import { workOnTexts, type TextWorkDeps } from '../full-text.work.ts'

/** A server's files with the index of their names and that of their texts. Documents are read when a test says so. */
export class TextSite implements AsyncDisposable {
  readonly names: SearchSite
  isOn = true
  limitBytes = MiB
  /** Files that were read since the site began, by their bytes. */
  reads = 0
  /** In place of reading. */
  readInstead: TextWorkDeps['texts']['read'] | undefined
  readonly warnings: unknown[] = []

  private constructor(names: SearchSite) {
    this.names = names
  }

  static async open(world: World): Promise<TextSite> {
    const site = new TextSite(await SearchSite.open(world))
    site.names.contents = createContents(site.db, () => Promise.resolve(site.isOn))
    site.names.watch = createEntryWatch()
    return site
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.names[Symbol.asyncDispose]()
  }

  get db() {
    return this.names.jobs.intake.world.database.db
  }

  /** Brings both indexes up to date. */
  async settle(): Promise<void> {
    await this.names.settle()
    await this.read()
  }

  async read(signal = new AbortController().signal): Promise<void> {
    const { deps, world } = this.names.jobs.intake
    const work: TextWorkDeps = {
      ...{ db: this.db, clock: world.clock, storages: deps.files.storages },
      log: { warn: (fields) => void this.warnings.push(fields) },
      rootKeyOf: (place) => rootKeyOf(this.db, place),
      wanted: () => Promise.resolve({ isOn: this.isOn, limitBytes: this.limitBytes }),
      texts: {
        read: async (source, stop) => {
          this.reads++
          if (this.readInstead !== undefined) return this.readInstead(source, stop)
          const chunks: Buffer[] = []
          for await (const chunk of source.read(stop)) chunks.push(Buffer.from(chunk))
          return extract(Buffer.concat(chunks), source.format, () => false).catch((thrown: unknown) => {
            // Causes stay in the process that reads.
            throw thrown instanceof TextFault ? new TextFault(thrown.reason) : thrown
          })
        },
      },
    }
    await workOnTexts(work, signal)
  }

  find(text: string, input: Partial<Parameters<SearchSite['search']>[0]> = {}): Promise<SearchReply> {
    return this.names.search({ text, in: 'contents', ...input })
  }

  async paths(text: string, input: Partial<Parameters<SearchSite['search']>[0]> = {}): Promise<string[]> {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const reply: SearchReply = await this.find(text, { limit: 500, ...input, cursor })
      found.push(...reply.items.map((item) => item.path))
      cursor = reply.next
    } while (cursor !== null)
    return found.toSorted()
  }

  async rows(table: (typeof FULL_TEXT_TABLES)[number]): Promise<number> {
    const row = await this.db
      .selectFrom(table)
      .select((of) => of.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  /** Why documents of a name have no text. */
  async reasonOf(name: string): Promise<string | undefined> {
    if (textFormatOf(name.slice(name.lastIndexOf('.') + 1)) === undefined) throw new Error(`${name} is never read`)
    const row = await this.db
      .selectFrom('full_text_documents as document')
      .innerJoin('search_entries as entry', (join) =>
        join.onRef('entry.root_id', '=', 'document.root_id').onRef('entry.n', '=', 'document.n'),
      )
      .select('document.reason')
      .where('entry.name', '=', name)
      .executeTakeFirst()
    return row?.reason
  }
}
