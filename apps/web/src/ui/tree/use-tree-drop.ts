import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { TreeLine } from './tree-state.ts'

/** What may fall onto the lines of a tree. */
export interface TreeDrop {
  /** Whether this drag may end at a node. */
  readonly takes: (event: DragEvent, id: string) => boolean
  /** Left to whoever is around the tree when it is false. */
  readonly onDrop: (event: DragEvent, id: string) => boolean
}

const OPEN_AFTER_MS = 800

/** Marks the line under a drag and opens it when the drag rests there, so that what is below can be reached. */
export function useTreeDrop(
  drop: TreeDrop | undefined,
  lineAt: (target: EventTarget) => TreeLine | undefined,
  open: (line: TreeLine) => void,
) {
  const [target, setTarget] = useState<string>()
  const latest = useRef({ lineAt, open })
  latest.current = { lineAt, open }
  const resting = useRef<TreeLine>(undefined)
  useEffect(() => {
    if (target === undefined) return undefined
    const timer = setTimeout(() => {
      const line = resting.current
      if (line?.isOpen === false) latest.current.open(line)
    }, OPEN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [target])
  const takenBy = (event: DragEvent): TreeLine | undefined => {
    const line = lineAt(event.target)
    return line !== undefined && drop?.takes(event, line.node.id) === true ? line : undefined
  }
  return {
    /** The node that a drop would go into. */
    target,
    handlers: {
      onDragOver(event: DragEvent) {
        const line = takenBy(event)
        resting.current = line
        setTarget(line?.node.id)
        if (line !== undefined) event.preventDefault()
      },
      onDragLeave: () => setTarget(undefined),
      onDrop(event: DragEvent) {
        const line = takenBy(event)
        setTarget(undefined)
        if (line !== undefined && drop?.onDrop(event, line.node.id) === true) event.preventDefault()
      },
    },
  }
}
