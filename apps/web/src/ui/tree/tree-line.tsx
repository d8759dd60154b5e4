import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Ring } from '../ring.tsx'
import type { TreeLine } from './tree-state.ts'
import styles from './tree.module.css'

/** How much room a line takes, in CSS pixels; the window of visible lines is computed from the height. */
export interface LineShape {
  readonly height: number
  readonly indent: number
}

/** For dialogs, where fingers choose as well. */
export const TALL: LineShape = { height: 49, indent: 20 }
/** Beside a list, where there is a mouse. */
export const COMPACT: LineShape = { height: 32, indent: 16 }

export interface LineProps {
  readonly id: string
  readonly index: number
  readonly line: TreeLine
  readonly shape: LineShape
  readonly icon: ReactNode
  readonly isFocused: boolean
  readonly isSelected: boolean
  readonly isDisabled: boolean
  /** What is dragged would fall into it. */
  readonly isDropTarget: boolean
}

/** One line. The tree listens for all of them and reads the line from `data-line`. */
export function Line(props: LineProps) {
  const { id, index, line, shape, icon, isFocused, isSelected, isDisabled, isDropTarget } = props
  const { node, level, isOpen, position, siblings } = line
  const Chevron = isOpen === true ? ChevronDown : ChevronRight
  return (
    <div
      id={id}
      role="treeitem"
      className={classNames(styles['line'], isSelected && styles['selected'], isDisabled && styles['disabled'])}
      style={{ top: index * shape.height, height: shape.height, paddingInlineStart: (level - 1) * shape.indent }}
      title={node.name}
      data-line={index}
      data-node={node.id}
      data-drop={isDropTarget || undefined}
      data-focused={isFocused || undefined}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isDisabled ? undefined : isOpen}
      aria-selected={isSelected}
      aria-disabled={isDisabled || undefined}
    >
      <span className={styles['toggle']} aria-hidden="true" data-toggle>
        {isOpen !== undefined && !isDisabled && <Chevron size={18} />}
      </span>
      {icon}
      <span className={styles['name']} translate="no">
        {node.name}
      </span>
      <Progress line={line} />
    </div>
  )
}

function Progress({ line: { branch, isOpen } }: Pick<LineProps, 'line'>) {
  const texts = useTexts()
  if (isOpen !== true || branch === undefined || branch.state === 'ready') return null
  if (branch.state === 'loading') return <Ring />
  return (
    <Button kind="quiet" tabIndex={-1} title={texts.failure(branch.error)} data-retry>
      {texts('common.retry')}
    </Button>
  )
}
