import type { Tx } from '../../kernel/db/index.ts'
import { foldName } from '../access/index.ts'
import { entriesStore } from './entries.store.ts'
import { type ChangedEntry, type EntryWatch, NOBODY } from './entry-watch.ts'
import { foldersStore } from './folders.store.ts'
import { blockOf, gramsOf } from './grams.ts'
import { CLEARED, NEVER_AGAIN, ROOT, type SearchEntryRow, type SearchRootRow } from './search.schema.ts'

/** An entry of a folder, as the storage or an event has it. */
export interface SeenEntry {
  /** In NFC. */
  readonly name: string
  /** On the storage where that is not NFC, else ''. */
  readonly diskName: string
  readonly isFolder: boolean
  readonly size: number
  readonly modifiedMs: number
}

/** How much of a new folder is known. */
type Depth =
  /** All of it: it is empty. */
  | 'empty'
  /** Nothing: it is to be read. */
  | 'unread'

/**
 * Changes the index of one place within a transaction that holds the lock of it. Whatever it does may be repeated, and is
 * right whether an entry was there or not: events may report what a scan has seen already, and the other way round.
 */
export class RootWriter {
  readonly #tx: Tx
  readonly #root: SearchRootRow
  readonly #watch: EntryWatch
  readonly #changed: ChangedEntry[] = []
  readonly #touched = new Set<number>()
  readonly #folders = new Map<string, number>()
  #nextN: number
  #needsWork = false

  constructor(tx: Tx, root: SearchRootRow, watch: EntryWatch = NOBODY) {
    this.#tx = tx
    this.#root = root
    this.#watch = watch
    this.#nextN = Number(root.next_n)
  }

  /** Writes down what the transaction leaves for later; the last call. */
  async finish(): Promise<void> {
    await foldersStore.touch(this.#tx, this.#root.id, [...this.#touched])
    await foldersStore.changeRoot(this.#tx, this.#root.id, {
      next_n: this.#nextN,
      ...(this.#needsWork ? { needs_work: 1 } : {}),
    })
    if (this.#changed.length > 0) await this.#watch.changed(this.#tx, this.#root.id, this.#changed)
  }

  /** The folder of a path. Folders on the way that are not known yet are added and will be read. */
  async folderAt(path: string): Promise<number> {
    if (path === '/') return ROOT
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const { parent, name } = splitPath(path)
    const parentN = await this.folderAt(parent)
    const n = await this.#folderNamed(parentN, name)
    this.#folders.set(path, n)
    return n
  }

  /** The folder of a path, if the index has it. */
  async findFolder(path: string): Promise<number | undefined> {
    let n = ROOT
    for (const name of path.split('/').slice(1)) {
      if (name === '') continue
      const row = await foldersStore.folderNamed(this.#tx, this.#root.id, n, name)
      if (row === undefined) return undefined
      n = Number(row.n)
    }
    return n
  }

  async #folderNamed(parent: number, name: string): Promise<number> {
    const row = await foldersStore.folderNamed(this.#tx, this.#root.id, parent, name)
    if (row !== undefined) return Number(row.n)
    this.#touched.add(parent)
    await this.put(parent, [{ name, diskName: '', isFolder: true, size: 0, modifiedMs: 0 }], 'unread')
    const added = await foldersStore.folderNamed(this.#tx, this.#root.id, parent, name)
    if (added === undefined) throw new Error('a folder that was added is not there')
    return Number(added.n)
  }

  /** Records that entries of a folder changed. */
  touch(folder: number): void {
    this.#touched.add(folder)
  }

  /** Adds entries to a folder, or brings them up to date. */
  async put(folder: number, seen: readonly SeenEntry[], depth: Depth = 'unread'): Promise<void> {
    const { id } = this.#root
    const entries = new Map(seen.map((entry) => [spelled(entry.name), entry]))
    const names = new Set([...entries.keys(), ...seen.map(({ name }) => name)])
    const rows = await entriesStore.named(this.#tx, id, folder, [...names])
    const known = new Map(rows.map((row) => [spelled(row.name), row]))
    const added: SeenEntry[] = []
    for (const [key, entry] of entries) {
      const row = known.get(key)
      if (row === undefined) added.push(entry)
      else if ((row.is_folder === 1) === entry.isFolder) await this.#update(row, entry)
      else {
        await this.removeRow(row)
        added.push(entry)
      }
    }
    await this.#add(folder, added, depth)
  }

  async #add(folder: number, added: readonly SeenEntry[], depth: Depth): Promise<void> {
    if (added.length === 0) return
    const { id: root_id, scan_round } = this.#root
    const rows = added.map((entry): SearchEntryRow => {
      const n = this.#nextN++
      return { root_id, block: blockOf(n), n, parent_n: folder, ...columnsOf(entry) }
    })
    await entriesStore.add(this.#tx, rows)
    await this.#addGrams(rows)
    for (const { n, ending, is_folder } of rows) if (is_folder === 0) this.#changed.push({ n, ending })
    const folders = rows.flatMap(({ n, name, is_folder }, at) => {
      if (is_folder === 0) return []
      const disk_name = added[at]?.diskName ?? ''
      const round = depth === 'empty' ? scan_round : 0
      return [{ root_id, n, parent_n: folder, name, disk_name, version: 0, scan_round: round }]
    })
    await foldersStore.addFolders(this.#tx, folders)
    if (folders.length > 0 && depth === 'unread') this.#needsWork = true
  }

  async #addGrams(rows: ReadonlyArray<Pick<SearchEntryRow, 'block' | 'name_key'>>): Promise<void> {
    const byBlock = new Map<number, Set<string>>()
    for (const { block, name_key: key } of rows) {
      const grams = byBlock.get(block) ?? new Set()
      byBlock.set(block, grams)
      for (const gram of gramsOf(key)) grams.add(gram)
    }
    await entriesStore.addGrams(this.#tx, this.#root.id, byBlock)
  }

  async #update(row: SearchEntryRow, { isFolder, size, modifiedMs, diskName }: SeenEntry): Promise<void> {
    const at = { rootId: this.#root.id, n: Number(row.n) }
    // Nobody looks for folders by what an event says of their time.
    if (!isFolder && (Number(row.size) !== size || Number(row.modified_ms) !== modifiedMs)) {
      await entriesStore.change(this.#tx, at, { size, modified_ms: modifiedMs })
      this.#changed.push({ n: at.n, ending: row.ending })
    }
    // A folder that was added as the way to something had no time yet.
    if (isFolder && Number(row.modified_ms) === 0 && modifiedMs > 0) {
      await entriesStore.change(this.#tx, at, { modified_ms: modifiedMs })
    }
    if (isFolder && diskName !== '') await foldersStore.changeFolder(this.#tx, at, { disk_name: diskName })
  }

  /** A folder with what is below it will be read again. */
  async readAgain(path: string): Promise<void> {
    const n = await this.findFolder(path)
    if (n === undefined) return
    await foldersStore.changeFolder(this.#tx, { rootId: this.#root.id, n }, { scan_round: 0 })
    this.#needsWork = true
  }

  /** @returns undefined when the index does not have it */
  async find(path: string): Promise<SearchEntryRow | undefined> {
    const { parent, name } = splitPath(path)
    const folder = await this.findFolder(parent)
    if (folder === undefined) return undefined
    const rows = await entriesStore.named(this.#tx, this.#root.id, folder, [name])
    return rows.find((row) => row.name === name)
  }

  async remove(path: string): Promise<void> {
    const row = await this.find(path)
    if (row !== undefined) await this.removeRow(row)
  }

  /** Takes an entry out. What is below a folder is out of reach from now on, and cleared away later. */
  async removeRow({ n: number, parent_n: parent, is_folder, ending }: SearchEntryRow): Promise<void> {
    const n = Number(number)
    this.#touched.add(Number(parent))
    await entriesStore.remove(this.#tx, this.#root.id, [n])
    if (is_folder === 0) return void this.#changed.push({ n, ending })
    this.#folders.clear()
    const at = { rootId: this.#root.id, n }
    await foldersStore.changeFolder(this.#tx, at, { parent_n: CLEARED, name: String(n), scan_round: NEVER_AGAIN })
    this.#needsWork = true
  }

  /**
   * An entry got another path. What is below a folder stays as it is: entries name only their parent.
   * @returns false when the index has the entry at neither path
   */
  async move(from: string, to: string): Promise<boolean> {
    const row = await this.find(from)
    const target = await this.find(to)
    if (target !== undefined && target.n !== row?.n) {
      // A scan has seen it there already, or it was replaced.
      if (row !== undefined) await this.removeRow(row)
      if (target.is_folder === 1) await this.readAgain(to)
      return true
    }
    if (row === undefined) return false
    await this.#moveRow(row, to)
    return true
  }

  async #moveRow(row: SearchEntryRow, to: string): Promise<void> {
    const { parent, name } = splitPath(to)
    const folder = await this.folderAt(parent)
    const isFolder = row.is_folder === 1
    const at = { rootId: this.#root.id, n: Number(row.n) }
    const { name_key, ending } = columnsOf({ name, isFolder, size: 0, modifiedMs: 0 })
    await entriesStore.change(this.#tx, at, { parent_n: folder, name, name_key, ending })
    await this.#addGrams([{ block: blockOf(at.n), name_key }])
    this.#touched.add(Number(row.parent_n)).add(folder)
    if (!isFolder) {
      // Another ending may say that it is read, or that it is not.
      if (ending !== row.ending) for (const each of [row.ending, ending]) this.#changed.push({ n: at.n, ending: each })
      return
    }
    this.#folders.clear()
    await foldersStore.changeFolder(this.#tx, at, { parent_n: folder, name, disk_name: '' })
  }
}

/** MariaDB takes names for one that differ in the spaces at their end; the page makes no such names. */
function spelled(name: string): string {
  return name.replace(/ +$/, '')
}

function columnsOf({ name, isFolder, size, modifiedMs }: Omit<SeenEntry, 'diskName'>) {
  const name_key = foldName(name)
  const is_folder = isFolder ? 1 : 0
  return { name, name_key, ending: isFolder ? '' : endingOf(name_key), is_folder, size, modified_ms: modifiedMs }
}

const ENDING_MAX = 64

/** What follows the last dot; '' for none, and for a name that begins with it. */
function endingOf(nameKey: string): string {
  const dot = nameKey.lastIndexOf('.')
  const ending = dot > 0 ? nameKey.slice(dot + 1) : ''
  return ending.length > ENDING_MAX ? '' : ending
}

export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: path.slice(0, slash) || '/', name: path.slice(slash + 1) }
}
