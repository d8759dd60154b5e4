import { ChevronDown, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Ring } from '../ring.tsx'
import type { TreeLine } from './tree-state.ts'
import styles from './tree.module.css'

/** Height of a row in CSS pixels; the window of visible rows is computed from it. */
export const LINE_HEIGHT = 49
const INDENT = 20

export interface LineProps {
  readonly id: string
  readonly index: number
  readonly line: TreeLine
  readonly icon: ReactNode
  readonly isFocused: boolean
  readonly isSelected: boolean
  readonly isDisabled: boolean
}

/** One line. The tree listens for all of them and reads the line from `data-line`. */
export function Line({ id, index, line, icon, isFocused, isSelected, isDisabled }: LineProps) {
  const { node, level, isOpen, position, siblings } = line
  const Chevron = isOpen === true ? ChevronDown : ChevronRight
  return (
    <div
      id={id}
      role="treeitem"
      className={classNames(styles['line'], isSelected && styles['selected'], isDisabled && styles['disabled'])}
      style={{ top: index * LINE_HEIGHT, paddingInlineStart: (level - 1) * INDENT }}
      data-line={index}
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
