import { type DragEvent, useState } from 'react'
import { type DepartmentLine, targetsOf } from './department-tree.ts'

/** Marks a drag of a department, in difference to files and rows of other lists. */
const DEPARTMENT_TYPE = 'application/x-godwit-department'

export interface DepartmentDragOptions {
  readonly all: readonly DepartmentLine[]
  /** Those in sight, in the order of the rows. */
  readonly shown: readonly DepartmentLine[]
  /** Where it was dropped; 0 is the root. */
  readonly onMove: (line: DepartmentLine, parentId: number) => void
}

/** Dragging a department onto another one, or onto the head for the root; "Move" of its row is the twin for keyboard and touch. */
export function useDepartmentDrag({ all, shown, onMove }: DepartmentDragOptions) {
  const [dragged, setDragged] = useState<DepartmentLine>()
  const [target, setTarget] = useState<number>()
  const end = (): void => {
    setDragged(undefined)
    setTarget(undefined)
  }
  const targetUnder = (event: DragEvent): number | undefined => {
    if (dragged === undefined) return undefined
    const id = parentUnder(event, shown)
    const isOpen = id === 0 || targetsOf(all, dragged.id).some((line) => line.id === id)
    return id !== dragged.parentId && isOpen ? id : undefined
  }
  return {
    /** Which department a drop would go into; 0 for the root, undefined for none. */
    target,
    handlers: {
      onDragStart(event: DragEvent) {
        const line = lineUnder(event, shown)
        if (line?.source !== 'local') return
        event.dataTransfer.setData(DEPARTMENT_TYPE, String(line.id))
        event.dataTransfer.effectAllowed = 'move'
        setDragged(line)
      },
      onDragOver(event: DragEvent) {
        const id = targetUnder(event)
        setTarget(id)
        if (id === undefined) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
      },
      onDragEnd: end,
      onDrop(event: DragEvent) {
        const id = targetUnder(event)
        if (id !== undefined && dragged !== undefined) {
          event.preventDefault()
          onMove(dragged, id)
        }
        end()
      },
    },
  }
}

function rowUnder({ target }: DragEvent): Element | null {
  return target instanceof Element ? target.closest('[role=row]') : null
}

function lineUnder(event: DragEvent, shown: readonly DepartmentLine[]): DepartmentLine | undefined {
  const row = rowUnder(event)?.getAttribute('data-row')
  return row === null || row === undefined ? undefined : shown[Number(row)]
}

/** The head of the table stands for the root. */
function parentUnder(event: DragEvent, shown: readonly DepartmentLine[]): number | undefined {
  const row = rowUnder(event)
  if (row === null) return undefined
  return row.hasAttribute('data-row') ? lineUnder(event, shown)?.id : 0
}
