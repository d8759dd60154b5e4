import { type NameFault, nameFault, normaliseName } from '@godwit/contract/names'
import { stemLength } from '../../../lib/formats.ts'

export interface Renamed {
  readonly name: string
  readonly isFolder: boolean
}

/** How new names are made of the old ones. The ending of a file stays as it is, except where its text is replaced. */
export type BatchRule =
  | { readonly mode: 'replace'; readonly find: string; readonly by: string }
  /** Each run of `#` stands for the number, with at least as many digits; a pattern without one gets it at its end. */
  | { readonly mode: 'number'; readonly pattern: string; readonly first: number }
  | { readonly mode: 'add'; readonly before: string; readonly after: string }

export interface Rename {
  readonly from: string
  readonly to: string
  /** Why it cannot be done: the name is not allowed, or it is taken. */
  readonly fault?: NameFault | 'taken'
}

/** The new names of entries, in their order, and what stands against each. */
export function planRenames(entries: readonly Renamed[], rule: BatchRule, all: readonly string[]): readonly Rename[] {
  let renames = entries.map((entry, at): Rename => {
    const [from, to] = [entry.name, normaliseName(newName(entry, rule, at))]
    const fault = from === to ? undefined : nameFault(to)
    return fault === undefined ? { from, to } : { from, to, fault }
  })
  const counts = Map.groupBy(renames, ({ to }) => folded(to))
  const isDouble = ({ to }: Rename): boolean => (counts.get(folded(to))?.length ?? 0) > 1
  // An entry that cannot be renamed keeps its name, which another one may have counted on.
  for (;;) {
    const leaving = new Set(renames.filter(isDone).map(({ from }) => from))
    const staying = new Set(all.filter((name) => !leaving.has(name)).map(folded))
    const stuck = new Set(inOrder(renames).stuck)
    const isTaken = (rename: Rename): boolean =>
      isDone(rename) && (staying.has(folded(rename.to)) || isDouble(rename) || stuck.has(rename))
    if (!renames.some(isTaken)) return renames
    renames = renames.map((rename) => (isTaken(rename) ? { ...rename, fault: 'taken' } : rename))
  }
}

function isDone({ from, to, fault }: Rename): boolean {
  return from !== to && fault === undefined
}

/** Changes in an order in which each name is free when its turn comes. Two that exchange their names have none. */
export function inOrder(renames: readonly Rename[]): {
  readonly steps: readonly Rename[]
  readonly stuck: readonly Rename[]
} {
  const steps: Rename[] = []
  let left = renames.filter(isDone)
  for (;;) {
    const held = new Map(left.map((rename) => [folded(rename.from), rename]))
    const isFree = (rename: Rename): boolean => [undefined, rename].includes(held.get(folded(rename.to)))
    const free = left.filter(isFree)
    if (free.length === 0) return { steps, stuck: left }
    steps.push(...free)
    left = left.filter((rename) => !isFree(rename))
  }
}

/** Names that differ only in case are one name to the server. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function newName({ name, isFolder }: Renamed, rule: BatchRule, at: number): string {
  const cut = isFolder ? name.length : stemLength(name)
  const [stem, ending] = [name.slice(0, cut), name.slice(cut)]
  switch (rule.mode) {
    case 'replace':
      return rule.find === '' ? name : name.replaceAll(rule.find, rule.by.replaceAll('$', '$$$$'))
    case 'number': {
      const pattern = /#/.test(rule.pattern) ? rule.pattern : `${rule.pattern}#`
      const number = String(rule.first + at)
      return pattern.replaceAll(/#+/g, (signs) => number.padStart(signs.length, '0')) + ending
    }
    case 'add':
      return rule.before + stem + rule.after + ending
  }
}
