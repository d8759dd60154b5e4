import { ChevronDown, ChevronRight } from 'lucide-react'
import { type CSSProperties } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/button.tsx'
import type { DepartmentLine } from './department-tree.ts'
import styles from './departments.module.css'

export interface DepartmentNameProps {
  readonly line: DepartmentLine
  readonly isOpen: boolean
  readonly isDraggable: boolean
  /** A dragged department would go into it. */
  readonly isTarget: boolean
  readonly onToggle: (id: number) => void
}

/** A department as far in as its level, with the button that shows what is below it. */
export function DepartmentName({ line, isOpen, isDraggable, isTarget, onToggle }: DepartmentNameProps) {
  const { id, name, level, hasChildren } = line
  const texts = useTexts()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <span
      className={classNames(styles['name'], isTarget && styles['target'])}
      style={{ '--level': level - 1 } as CSSProperties}
      draggable={isDraggable}
    >
      {hasChildren ? (
        <IconButton
          label={texts(isOpen ? 'departments.close' : 'departments.open', { name })}
          icon={<Chevron size={16} aria-hidden="true" />}
          aria-expanded={isOpen}
          onClick={() => onToggle(id)}
        />
      ) : (
        <i className={styles['leaf']} />
      )}
      <span translate="no">{name}</span>
    </span>
  )
}
