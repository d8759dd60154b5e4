import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { keyedRow } from '../../lib/list-keys.ts'
import { useTypeAhead } from '../../lib/use-type-ahead.ts'
import { useWindowing, type Windowing } from '../../lib/use-windowing.ts'
import { classNames } from '../class-names.ts'
import { TextField } from '../text-field.tsx'
import { COMPACT, Line, TALL } from './tree-line.tsx'
import { lineByPrefix, type TreeLine, treeLines, type TreeStep, treeStep } from './tree-state.ts'
import styles from './tree.module.css'
import { type TreeOptions, useTree, useTreeNews } from './use-tree.ts'
import { type TreeDrop, useTreeDrop } from './use-tree-drop.ts'

const OVERSCAN = 4

export interface TreeProps extends TreeOptions {
  readonly label: string
  /** Above the tree; finds names among what is loaded. Absent: there is no such field. */
  readonly searchLabel?: string
  readonly selected: string
  readonly onSelect: (id: string) => void
  /** Cannot be chosen, and is not opened. */
  readonly isDisabled?: (id: string) => boolean
  readonly icon: ReactNode
  /** Fills the room it is given with low lines, instead of a box of its own. */
  readonly isCompact?: boolean
  readonly drop?: TreeDrop | undefined
}

/**
 * A tree whose branches are loaded when they are opened: one tab stop, the focused line named by `aria-activedescendant`, only
 * the lines in sight drawn.
 */
export function Tree(props: TreeProps) {
  const { label, searchLabel, selected, isDisabled = () => false, isCompact = false } = props
  const id = useId()
  const tree = useTree(props)
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const lines = treeLines(tree.state, search)
  useTreeNews(lines, props.watch, (node) => tree.read(node, true))
  const shape = isCompact ? COMPACT : TALL
  const windowing = useWindowing(box, { count: lines.length, rowHeight: shape.height, overscan: OVERSCAN })
  const at = lines.findIndex(({ node }) => node.id === selected)
  useSelectedInSight(windowing, { selected, row: tree.isSettled ? at : -1, rowHeight: shape.height })
  const { focus, ...keys } = useTreeFocus({ ...props, isDisabled, tree, lines, windowing, rowHeight: shape.height })
  const drop = useTreeDrop(props.drop, (target) => lines[lineIndex(target)], keys.toggle)
  return (
    <div className={classNames(styles['tree'], isCompact && styles['compact'])}>
      {searchLabel !== undefined && (
        <TextField
          label={searchLabel}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <div
        ref={box}
        className={styles['lines']}
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={`${id}-${focus}`}
        onKeyDown={keys.onKeyDown}
        onClick={keys.onClick}
        onDoubleClick={keys.onDoubleClick}
        {...drop.handlers}
      >
        <div className={styles['body']} role="presentation" style={{ height: windowing.height }}>
          {lines.slice(windowing.first, windowing.end).map((line, row) => {
            const index = windowing.first + row
            return (
              <Line
                key={line.node.id}
                id={`${id}-${index}`}
                index={index}
                line={line}
                shape={shape}
                icon={props.icon}
                isFocused={index === focus}
                isSelected={line.node.id === selected}
                isDisabled={isDisabled(line.node.id)}
                isDropTarget={line.node.id === drop.target}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface FocusOptions extends Pick<TreeProps, 'selected' | 'onSelect'> {
  readonly isDisabled: (id: string) => boolean
  readonly tree: ReturnType<typeof useTree>
  readonly lines: readonly TreeLine[]
  readonly windowing: Windowing
  readonly rowHeight: number
}

/** The line that has the focus, and what keys and clicks do to it. What is selected elsewhere takes the focus along. */
function useTreeFocus({ selected, onSelect, isDisabled, tree, lines, windowing, rowHeight }: FocusOptions) {
  const [focusId, setFocusId] = useState(selected)
  useEffect(() => setFocusId(selected), [selected])
  const typeAhead = useTypeAhead()
  const focus = Math.max(
    0,
    lines.findIndex(({ node }) => node.id === focusId),
  )
  const choose = ({ node }: TreeLine): void => {
    setFocusId(node.id)
    if (!isDisabled(node.id)) onSelect(node.id)
  }
  const toggle = ({ node, isOpen }: TreeLine): void => {
    setFocusId(node.id)
    if (isOpen === true) tree.close(node.id)
    else if (!isDisabled(node.id)) tree.open(node.id)
  }
  const stepOf = (event: KeyboardEvent): TreeStep | undefined => {
    const rowsPerPage = Math.max(1, Math.floor(windowing.viewport / rowHeight))
    const row = keyedRow(focus, event.key, { count: lines.length, rowsPerPage })
    const step = row === undefined ? treeStep(lines, focus, event.key) : { kind: 'focus' as const, index: row }
    if (step !== undefined) return step
    const found = typeAhead(event, focus, (prefix, from) => lineByPrefix(lines, prefix, from))
    return found === undefined ? undefined : { kind: 'focus', index: found < 0 ? focus : found }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = stepOf(event)
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
  return {
    focus,
    toggle,
    onKeyDown,
    onClick({ target }: MouseEvent) {
      const part = partOf(target)
      if (part === 'retry') withLine(target, ({ node }) => tree.open(node.id))
      else withLine(target, part === 'toggle' ? toggle : choose)
    },
    onDoubleClick: ({ target }: MouseEvent) => partOf(target) === 'line' && withLine(target, toggle),
  }
}

interface SelectedLine {
  readonly selected: string
  /** Where it stands; -1 while the way to it is being opened. */
  readonly row: number
  readonly rowHeight: number
}

/**
 * Scrolls once to each newly selected line: the first one stands below its parent and above its children, since a long way to
 * it may have been opened; a later one is brought into sight.
 */
function useSelectedInSight({ viewport, scrollTo, show }: Windowing, { selected, row, rowHeight }: SelectedLine): void {
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (shown.current === selected || row < 0 || viewport === 0) return
    if (shown.current === undefined) scrollTo((row - 1) * rowHeight)
    else show(row)
    shown.current = selected
  }, [selected, row, rowHeight, viewport, scrollTo, show])
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
