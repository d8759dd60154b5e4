import { useCallback, useEffect, useRef, useState } from 'react'
import type { Branch, TreeNode, TreeState } from './tree-state.ts'

export interface TreeOptions {
  readonly root: TreeNode
  /** Children of a node. @throws what is shown at the node, with another try */
  readonly load: (id: string, signal: AbortSignal) => Promise<readonly TreeNode[]>
  /** Nodes that are open at first. */
  readonly openFirst: readonly string[]
}

/** The state of a tree whose branches are loaded when they are opened. */
export function useTree({ root, load, openFirst }: TreeOptions) {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const stop = useRef(new AbortController())
  const latest = useRef(load)
  latest.current = load
  const openNode = useCallback((id: string): void => {
    const { signal } = stop.current
    const put = (branch: Branch): void => {
      if (!signal.aborted) setBranches((all) => new Map(all).set(id, branch))
    }
    setOpen((all) => new Set(all).add(id))
    put({ state: 'loading' })
    latest.current(id, signal).then(
      (nodes) => put({ state: 'ready', nodes }),
      (error: unknown) => put({ state: 'failed', error }),
    )
  }, [])
  const first = useRef(openFirst)
  useEffect(() => {
    stop.current = new AbortController()
    for (const id of first.current) openNode(id)
    return () => stop.current.abort()
  }, [openNode])
  const state: TreeState = { root, branches, open }
  return {
    state,
    /** Whatever is open at first is loaded, or has failed. */
    isSettled: first.current.every((id) => (branches.get(id)?.state ?? 'loading') !== 'loading'),
    /** Looks again each time: what is there may have changed meanwhile. */
    open: openNode,
    close: (id: string) => setOpen((all) => new Set([...all].filter((each) => each !== id))),
  }
}
