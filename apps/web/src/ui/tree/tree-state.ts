/** One thing of a tree. Its children are asked for when it is opened. */
export interface TreeNode {
  readonly id: string
  readonly name: string
}

/** Children of one node, as far as they are known. */
export type Branch =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly nodes: readonly TreeNode[] }

export interface TreeState {
  readonly root: TreeNode
  readonly branches: ReadonlyMap<string, Branch>
  readonly open: ReadonlySet<string>
}

/** One line of the tree as it is shown. */
export interface TreeLine {
  readonly node: TreeNode
  readonly parent: string | undefined
  /** From 1 on. */
  readonly level: number
  /** Undefined for a node that is known to have no children. */
  readonly isOpen: boolean | undefined
  readonly branch: Branch | undefined
  readonly position: number
  readonly siblings: number
}

/** The lines that are in sight, from the root down; a search leaves the matching nodes and the way to them. */
export function treeLines(state: TreeState, search = ''): readonly TreeLine[] {
  const wanted = search.trim().toLocaleLowerCase()
  const kept = wanted === '' ? undefined : matches(state, wanted)
  const lines: TreeLine[] = []
  const walk = (node: TreeNode, place: Pick<TreeLine, 'parent' | 'level' | 'position' | 'siblings'>): void => {
    const branch = state.branches.get(node.id)
    const children = branch?.state === 'ready' ? branch.nodes.filter(({ id }) => kept?.has(id) ?? true) : []
    const isLeaf = branch?.state === 'ready' && branch.nodes.length === 0
    const isOpen = kept === undefined ? state.open.has(node.id) : children.length > 0
    lines.push({ node, branch, isOpen: isLeaf ? undefined : isOpen, ...place })
    if (!isOpen) return
    for (const [at, child] of children.entries()) {
      walk(child, { parent: node.id, level: place.level + 1, position: at + 1, siblings: children.length })
    }
  }
  walk(state.root, { parent: undefined, level: 1, position: 1, siblings: 1 })
  return lines
}

/** Loaded nodes whose name holds the text, with all their ancestors. */
function matches({ root, branches }: TreeState, wanted: string): ReadonlySet<string> {
  const kept = new Set<string>()
  const keep = (node: TreeNode): boolean => {
    const branch = branches.get(node.id)
    const below = branch?.state === 'ready' ? branch.nodes.map(keep).some(Boolean) : false
    const isKept = below || node.name.toLocaleLowerCase().includes(wanted)
    if (isKept) kept.add(node.id)
    return isKept
  }
  keep(root)
  return kept
}

/** First line whose name begins with the letters, searched from `from` on and around; -1 when there is none. */
export function lineByPrefix(lines: readonly TreeLine[], prefix: string, from: number): number {
  const wanted = prefix.toLocaleLowerCase()
  for (let step = 0; step < lines.length; step++) {
    const index = (from + step) % lines.length
    if (lines[index]?.node.name.toLocaleLowerCase().startsWith(wanted) === true) return index
  }
  return -1
}

/** Nodes whose children are in sight, from the top down. */
export function openNodes(lines: readonly TreeLine[]): readonly string[] {
  return lines.flatMap(({ node, isOpen, branch }) => (isOpen !== false && branch !== undefined ? [node.id] : []))
}

/** What a key does to the line that has the focus. */
export interface TreeStep {
  readonly kind: 'focus' | 'open' | 'close' | 'choose'
  readonly index: number
}

/**
 * The keys of a tree (WAI-ARIA authoring practices): Right opens, then enters; Left closes, then leads to the parent; Enter and
 * Space choose.
 * @returns undefined when the key is none of them
 */
export function treeStep(lines: readonly TreeLine[], focus: number, key: string): TreeStep | undefined {
  const line = lines[focus]
  if (line === undefined) return undefined
  switch (key) {
    case 'ArrowRight':
      if (line.isOpen === false) return { kind: 'open', index: focus }
      return lines[focus + 1]?.parent === line.node.id ? { kind: 'focus', index: focus + 1 } : undefined
    case 'ArrowLeft': {
      if (line.isOpen === true) return { kind: 'close', index: focus }
      const parent = lines.findIndex(({ node }) => node.id === line.parent)
      return parent < 0 ? undefined : { kind: 'focus', index: parent }
    }
    case 'Enter':
    case ' ':
      return { kind: 'choose', index: focus }
    default:
      return undefined
  }
}
