import { X } from 'lucide-react'
import { useTexts } from '../../lib/texts.tsx'
import { ROOMY, useMedia } from '../../lib/use-media.ts'
import { ActionButton } from '../action-button.tsx'
import { Button, IconButton } from '../button.tsx'
import styles from './data-table.module.css'
import type { TableSelecting } from './table-props.ts'
import { ALL_SELECTED, NOTHING_SELECTED, pageSelection, selectedRowCount, withRows } from './table-selection.ts'

export interface SelectionBarProps extends TableSelecting {
  readonly pageIds: readonly string[]
}

/**
 * Above the rows: how many are selected and what can be done with them. A page that is selected whole offers everything that
 * matches. Without a selection it holds what can be done with nothing selected, at the same height.
 */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, onSelect, total, isWaiting = false, actions, pageIds, summary } = props
  const texts = useTexts()
  const count = selectedRowCount(selection, total)
  const isRoomy = useMedia(ROOMY)
  const isWholePage = pageSelection(selection, pageIds) === 'all'
  return (
    <div className={styles['selection']}>
      {!isRoomy && pageIds.length > 0 && (
        <label className={styles['page']}>
          <input
            type="checkbox"
            checked={isWholePage}
            disabled={isWaiting}
            onChange={() => onSelect(withRows(selection, pageIds, !isWholePage))}
          />
          {texts('table.select-page')}
        </label>
      )}
      {count > 0 && (
        <span className={styles['selected']}>
          <IconButton
            label={texts('files.clear-selection')}
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => onSelect(NOTHING_SELECTED)}
          />
          <span role="status">{texts('files.selected', { count })}</span>
        </span>
      )}
      {count === 0 && <span className={styles['summary']}>{summary}</span>}
      {isWholePage && count < total && (
        <Button kind="quiet" disabled={isWaiting} onClick={() => onSelect(ALL_SELECTED)}>
          {texts('table.select-all', { count: total })}
        </Button>
      )}
      <span className={styles['space']} />
      {actions
        .filter(({ isOffered }) => isOffered)
        .map((action) => (
          <ActionButton key={action.name} action={action} />
        ))}
    </div>
  )
}
