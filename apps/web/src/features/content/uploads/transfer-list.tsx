import { ArrowUpDown } from 'lucide-react'
import type { ComponentType } from 'react'
import { useStore } from '../../../lib/store.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { PopoverButton } from '../../../ui/popover.tsx'
import { TransferRows } from './lazy-parts.ts'
import styles from './transfer-list.module.css'
import { share, type UploadsView } from './upload-views.ts'
import { useUploads } from './uploads.tsx'

export interface TransferListProps {
  /** Leads to a page that has the panel. */
  readonly onShowPanel: () => void
  /** What other ways of transfer have under way. */
  readonly Others: ComponentType<{ readonly onFollow: () => void }>
}

/** In the header: what is under way, and the way to the panel with all of it. */
export function TransferList({ onShowPanel, Others }: TransferListProps) {
  const texts = useTexts()
  const engine = useUploads()
  const view = useStore(engine.view)
  const label = labelOf(view, texts)
  return (
    <PopoverButton
      title={texts('header.transfers')}
      trigger={
        <Button kind="quiet" className={styles['button']} aria-label={label} title={label} data-testid="transfers">
          <ArrowUpDown size={20} aria-hidden="true" />
          {view.isActive && (
            <span className={styles['share']} aria-hidden="true">
              {`${Math.floor(share(view) * 100)}%`}
            </span>
          )}
        </Button>
      }
    >
      {(close) => (
        <div>
          <TransferRows
            view={view}
            onShow={() => {
              engine.panel.set({ isExpanded: true, isClosed: false })
              onShowPanel()
              close()
            }}
          />
          <Others onFollow={close} />
        </div>
      )}
    </PopoverButton>
  )
}

function labelOf({ isActive, totals }: UploadsView, texts: Texts): string {
  if (!isActive) return texts('header.transfers')
  return texts('header.transfers.running', { count: totals.files - totals.done })
}
