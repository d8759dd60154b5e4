import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { keyedRow } from '../../lib/list-keys.ts'
import { useWindowing, type Windowing } from '../../lib/use-windowing.ts'
import { TextField } from '../text-field.tsx'
import { LINE_HEIGHT, Line } from './tree-line.tsx'
import { type TreeLine, treeLines, type TreeStep, treeStep } from './tree-state.ts'
import styles from './tree.module.css'
import { type TreeOptions, useTree } from './use-tree.ts'

const OVERSCAN = 4

export interface TreeProps extends TreeOptions {
  readonly label: string
  /** Above the tree; finds names among what is loaded. */
  readonly searchLabel: string
  readonly selected: string
  readonly onSelect: (id: string) => void
  /** Cannot be chosen, and is not opened. */
  readonly isDisabled?: (id: string) => boolean
  readonly icon: ReactNode
}

/**
 * A tree whose branches are loaded when they are opened: one tab stop, the focused line named by `aria-activedescendant`, only
 * the lines in sight drawn.
 */
export function Tree(props: TreeProps) {
  const { label, searchLabel, selected, onSelect, isDisabled = () => false, icon } = props
  const id = useId()
  const tree = useTree(props)
  const [search, setSearch] = useState('')
  const [focusId, setFocusId] = useState(selected)
  const box = useRef<HTMLDivElement>(null)
  const lines = treeLines(tree.state, search)
  const windowing = useWindowing(box, { count: lines.length, rowHeight: LINE_HEIGHT, overscan: OVERSCAN })
  useSelectedInSight(windowing, tree.isSettled ? lines.findIndex(({ node }) => node.id === selected) : -1)
  const found = lines.findIndex(({ node }) => node.id === focusId)
  const focus = Math.max(0, found)
  const choose = ({ node }: TreeLine): void => {
    setFocusId(node.id)
    if (!isDisabled(node.id)) onSelect(node.id)
  }
  const toggle = ({ node, isOpen }: TreeLine): void => {
    setFocusId(node.id)
    if (isOpen === true) tree.close(node.id)
    else if (!isDisabled(node.id)) tree.open(node.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, { lines, focus, rowsPerPage: Math.floor(windowing.viewport / LINE_HEIGHT) })
    const line = step === undefined ? undefined : lines[step.index]
    if (step === undefined || line === undefined) return
    event.preventDefault()
    if (step.kind === 'focus') {
      setFocusId(line.node.id)
      windowing.show(step.index)
    } else if (step.kind === 'choose') choose(line)
    else toggle(line)
  }
  const withLine = (target: EventTarget, run: (line: TreeLine) => void): void => {
    const line = lines[lineIndex(target)]
    if (line !== undefined) run(line)
  }
  const onClick = ({ target }: MouseEvent): void => {
    const part = partOf(target)
    if (part === 'retry') withLine(target, ({ node }) => tree.open(node.id))
    else withLine(target, part === 'toggle' ? toggle : choose)
  }
  return (
    <div className={styles['tree']}>
      <TextField label={searchLabel} type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      <div
        ref={box}
        className={styles['lines']}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${id}-${focus}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={({ target }) => partOf(target) === 'line' && withLine(target, toggle)}
      >
        <div className={styles['body']} role="presentation" style={{ height: windowing.height }}>
          {lines.slice(windowing.first, windowing.end).map((line, at) => {
            const index = windowing.first + at
            return (
              <Line
                key={line.node.id}
                id={`${id}-${index}`}
                index={index}
                line={line}
                icon={icon}
                isFocused={index === focus}
                isSelected={line.node.id === selected}
                isDisabled={isDisabled(line.node.id)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Scrolls once to the selected line, below its parent and above its children: a long way to it may have been opened. */
function useSelectedInSight({ viewport, scrollTo }: Windowing, selected: number): void {
  const isDone = useRef(false)
  useLayoutEffect(() => {
    if (isDone.current || selected < 0 || viewport === 0) return
    isDone.current = true
    scrollTo((selected - 1) * LINE_HEIGHT)
  }, [selected, viewport, scrollTo])
}

function lineIndex(target: EventTarget): number {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null
  return Number(line?.dataset['line'] ?? -1)
}

function partOf(target: EventTarget): 'line' | 'toggle' | 'retry' {
  if (!(target instanceof Element)) return 'line'
  if (target.closest('[data-retry]') !== null) return 'retry'
  return target.closest('[data-toggle]') === null ? 'line' : 'toggle'
}

interface Place {
  readonly lines: readonly TreeLine[]
  readonly focus: number
  readonly rowsPerPage: number
}

function stepOf(key: string, { lines, focus, rowsPerPage }: Place): TreeStep | undefined {
  const row = keyedRow(focus, key, { count: lines.length, rowsPerPage: Math.max(1, rowsPerPage) })
  return row === undefined ? treeStep(lines, focus, key) : { kind: 'focus', index: row }
}
