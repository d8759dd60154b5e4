import fs from 'node:fs'

/** What lies at a path on the disk. The same object stands for it as long as nothing about it changes. */
export interface Entry {
  /** What it holds; null for a folder. */
  readonly text: string | null
  /** What can be told from all others in its name and its content. */
  readonly tokens: readonly string[]
}

/** By path, as the person writes it. The same map stands for it as long as nothing in it changes. */
export type Tree = ReadonlyMap<string, Entry>

export interface Change {
  readonly at: string
  readonly kind: 'gone' | 'newFile' | 'newFolder' | 'other'
}

const TOKENS = /[nxc][0-9a-f]{10}/g
/** The clock that the disk stamps with may stand still for so long: what was stamped later than that is read again. */
const STAMP_MS = 100

/** Names and contents in a text that can be told from all others. */
export function tokensIn(text: string): string[] {
  return text.match(TOKENS) ?? []
}

interface Seen {
  /** Undefined for what was changed so shortly before it was read that the stamps would not tell of another change. */
  readonly stamp: string | undefined
  readonly entry: Entry
  /** Of a folder. */
  readonly names: readonly string[]
}

/** Looks at the same folder again and again: asks for the stamps of everything in it, and reads what has others than before. */
export class TreeWatch {
  readonly root: string
  readonly #prefix: string
  /** A name in the root that is left out. */
  readonly #without: string | undefined
  #seen = new Map<string, Seen>()
  #tree: Tree = new Map()

  constructor(root: string, prefix: string, without?: string) {
    this.root = root
    this.#prefix = prefix
    this.#without = without
  }

  /** As it was at the last look. */
  get tree(): Tree {
    return this.#tree
  }

  look(): Tree {
    const seen = new Map<string, Seen>()
    this.#walk('', seen)
    seen.delete('')
    const isSame =
      seen.size === this.#tree.size && [...seen].every(([at, { entry }]) => this.#tree.get(this.#prefix + at) === entry)
    if (!isSame) this.#tree = new Map([...seen].map(([at, { entry }]) => [this.#prefix + at, entry]))
    return this.#tree
  }

  #walk(at: string, found: Map<string, Seen>): void {
    const seen = this.#one(at)
    if (seen === undefined) return
    found.set(at, seen)
    for (const name of seen.names) if (at !== '' || name !== this.#without) this.#walk(`${at}/${name}`, found)
    if (at === '') this.#seen = found
  }

  #one(at: string): Seen | undefined {
    const full = this.root + at
    const now = Date.now()
    const stat = fs.lstatSync(full, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    const stamp = `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
    const before = this.#seen.get(at)
    if (before?.stamp === stamp) return before
    // In the order of their names: the choice among them follows from the seed alone.
    const names = stat.isDirectory() ? fs.readdirSync(full).toSorted() : []
    const text = stat.isDirectory() ? null : fs.readFileSync(full, 'latin1')
    const entry =
      before?.entry.text === text
        ? before.entry
        : { text, tokens: [...tokensIn(at.slice(at.lastIndexOf('/'))), ...tokensIn(text ?? '')] }
    return { stamp: stat.ctimeMs < now - STAMP_MS ? stamp : undefined, entry, names }
  }
}

/** A folder where a file was, or the other way round: one has gone, and another has come. */
function isOtherKind(was: string | null, is: string | null): boolean {
  return (was === null) !== (is === null)
}

/** What is not as it was. */
export function changesIn(was: Tree, is: Tree): Change[] {
  if (was === is) return []
  const found: Change[] = []
  for (const [at, { text }] of was) {
    const now = is.get(at)
    if (now === undefined || isOtherKind(text, now.text)) found.push({ at, kind: 'gone' })
    else if (now.text !== text) found.push({ at, kind: 'other' })
  }
  for (const [at, { text }] of is) {
    const before = was.get(at)
    if (before === undefined || isOtherKind(before.text, text))
      found.push({ at, kind: text === null ? 'newFolder' : 'newFile' })
  }
  return found
}
