import { Bookmark, Columns3, FileDown, FileSpreadsheet } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BoundAction } from '../../lib/actions.tsx'
import { ROOMY, useMedia } from '../../lib/use-media.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import styles from './console-kit.module.css'
import type { ExportFormat } from './use-export.ts'

export interface ListToolsOptions {
  readonly hasRows: boolean
  readonly onExport: (format: ExportFormat) => void
  readonly onChoose: () => void
  readonly onViews: () => void
}

/** What can be done with a list while nothing in it is selected. */
export function useListTools({ hasRows, onExport, onChoose, onViews }: ListToolsOptions): readonly BoundAction[] {
  const isRoomy = useMedia(ROOMY)
  return [
    {
      name: 'export',
      label: 'console.export',
      group: 'general',
      icon: FileDown,
      isOffered: hasRows,
      run: () => onExport('csv'),
    },
    {
      name: 'export-xlsx',
      label: 'console.export.xlsx',
      group: 'general',
      icon: FileSpreadsheet,
      isOffered: hasRows,
      run: () => onExport('xlsx'),
    },
    {
      name: 'views',
      label: 'console.views',
      group: 'general',
      icon: Bookmark,
      isOffered: true,
      run: onViews,
    },
    {
      name: 'columns',
      label: 'console.view',
      group: 'general',
      icon: Columns3,
      // A card of a phone shows what it has.
      isOffered: isRoomy,
      run: onChoose,
    },
  ]
}

export interface ListToolsProps {
  readonly summary: ReactNode
  readonly actions: readonly BoundAction[]
}

/** The bar above rows that cannot be selected. */
export function ListTools({ summary, actions }: ListToolsProps) {
  return (
    <div className={styles['tools']}>
      {summary}
      {actions
        .filter(({ isOffered }) => isOffered)
        .map((action) => (
          <ActionButton key={action.name} action={action} />
        ))}
    </div>
  )
}
