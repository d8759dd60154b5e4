import { KIND_FILE, type ListPage, type ObjectStore } from '@godwit/storage'
import { unreachable } from '../../access/index.ts'
import type { FirstEntries } from './first-entries.ts'
import { NamePacker, type RawNames } from '../packed-names.ts'
import type { Breathe } from '../sliced-sort.ts'

/** Names that are not plain, taken between two turns of others. */
const AT_ONCE = 1_024

type Part = Required<Pick<ListPage, 'plain' | 'kinds'>> | Texts

interface Texts {
  readonly plain: undefined
  readonly names: readonly string[]
  readonly kinds: readonly number[]
}

/**
 * What a folder holds, as the storage reported it. Keys for the order are made afterwards: reading goes at the speed of the disk,
 * and the first page waits for nothing else.
 */
export class FolderNames {
  readonly #parts: Part[]
  readonly count: number

  private constructor(parts: Part[]) {
    this.#parts = parts
    this.count = parts.reduce((sum, { kinds }) => sum + kinds.length, 0)
  }

  /** @param first offered every entry on the way */
  static async read(
    pages: ReturnType<ObjectStore['list']>,
    first: FirstEntries,
    breathe: Breathe,
  ): Promise<FolderNames> {
    const parts: Part[] = []
    for await (const page of pages) {
      const { plain, kinds } = page
      if (plain) {
        first.takePlain(plain, kinds)
        parts.push({ plain, kinds })
      } else parts.push(await takeTexts(page, first, breathe))
      await breathe()
    }
    return new FolderNames(parts)
  }

  /** Gives all up for the names with their keys, in the order of the storage. */
  async packed(breathe: Breathe): Promise<RawNames> {
    const bytes = this.#parts.reduce((sum, { plain }) => sum + (plain?.bytes.length ?? 0), 0)
    const packer = new NamePacker({ rows: this.count, bytes })
    // Each part is let go of once it is taken: a big folder is not in memory twice.
    for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) {
      if (part.plain) packer.addPlain(part.plain, part.kinds)
      else {
        for (const [at, name] of part.names.entries()) {
          packer.add(name, part.kinds[at] ?? KIND_FILE)
          if (at % AT_ONCE === 0) await breathe()
        }
      }
      await breathe()
    }
    return packer.pack()
  }
}

async function takeTexts(page: ListPage, first: FirstEntries, breathe: Breathe): Promise<Texts> {
  const names: string[] = []
  const kinds: number[] = []
  for (const [at, name] of page.names.entries()) {
    if (unreachable(name) !== undefined) continue
    const kind = page.kinds[at] ?? KIND_FILE
    first.take(name, kind)
    names.push(name)
    kinds.push(kind)
    if (at % AT_ONCE === 0) await breathe()
  }
  return { plain: undefined, names, kinds }
}
