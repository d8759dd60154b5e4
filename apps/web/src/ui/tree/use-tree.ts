import { useCallback, useEffect, useRef, useState } from 'react'
import { type Branch, openNodes, type TreeLine, type TreeNode, type TreeState } from './tree-state.ts'

/** A connection follows 64 folders; the list and the panel beside it need some of them. */
const WATCHED_MAX = 40
/** Stands in no id. */
const SEPARATOR = '\0'

export interface TreeOptions {
  readonly root: TreeNode
  /** Children of a node. @throws what is shown at the node, with another try */
  readonly load: (id: string, signal: AbortSignal) => Promise<readonly TreeNode[]>
  /** Nodes that are open at first, and opened whenever these become other ones: the way to what is selected. */
  readonly openFirst: readonly string[]
  /** Calls back whenever the children of an open node may have changed, until the returned function is called. */
  readonly watch?: ((id: string, onChange: () => void) => () => void) | undefined
}

/** The state of a tree whose branches are loaded when they are opened. */
export function useTree({ root, load, openFirst, watch }: TreeOptions) {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const stop = useRef(new AbortController())
  const latest = useRef({ load, branches, watch })
  latest.current = { load, branches, watch }
  const read = useCallback((id: string, isQuiet: boolean): void => {
    const { signal } = stop.current
    const put = (branch: Branch): void => {
      if (!signal.aborted) setBranches((all) => new Map(all).set(id, branch))
    }
    latest.current.load(id, signal).then(
      (nodes) => put({ state: 'ready', nodes }),
      // What is in sight stays when a look for news fails: the next one may not.
      (error: unknown) => !isQuiet && put({ state: 'failed', error }),
    )
  }, [])
  const openNode = useCallback(
    (id: string): void => {
      setOpen((all) => new Set(all).add(id))
      const isKnown = latest.current.branches.get(id)?.state === 'ready'
      if (!isKnown) setBranches((all) => new Map(all).set(id, { state: 'loading' }))
      read(id, isKnown)
    },
    [read],
  )
  const way = openFirst.join(SEPARATOR)
  useEffect(() => {
    stop.current = new AbortController()
    return () => stop.current.abort()
  }, [])
  useEffect(() => {
    for (const id of way.split(SEPARATOR)) {
      if (latest.current.branches.get(id)?.state === 'ready') setOpen((all) => new Set(all).add(id))
      else openNode(id)
    }
  }, [openNode, way])
  const state: TreeState = { root, branches, open }
  return {
    state,
    /** Whatever is to be open is loaded, or has failed. */
    isSettled: openFirst.every((id) => (branches.get(id)?.state ?? 'loading') !== 'loading'),
    /** Looks again each time: what is there may have changed meanwhile. */
    open: openNode,
    close: (id: string) => setOpen((all) => new Set([...all].filter((each) => each !== id))),
    read,
  }
}

/** Follows the branches in sight, so that they are read again when somebody changes them. */
export function useTreeNews(
  lines: readonly TreeLine[],
  watch: TreeOptions['watch'],
  onNews: (id: string) => void,
): void {
  const latest = useRef(onNews)
  latest.current = onNews
  const watched = openNodes(lines).slice(0, WATCHED_MAX).join(SEPARATOR)
  const ends = useRef(new Map<string, () => void>())
  useEffect(() => {
    if (watch === undefined) return undefined
    const all = ends.current
    return () => {
      for (const end of all.values()) end()
      all.clear()
    }
  }, [watch])
  useEffect(() => {
    if (watch === undefined) return
    const wanted = new Set(watched === '' ? [] : watched.split(SEPARATOR))
    for (const [id, end] of ends.current) {
      if (wanted.has(id)) continue
      end()
      ends.current.delete(id)
    }
    for (const id of wanted)
      if (!ends.current.has(id))
        ends.current.set(
          id,
          watch(id, () => latest.current(id)),
        )
  }, [watch, watched])
}
