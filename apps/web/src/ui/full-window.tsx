import { Dialog as Base } from '@base-ui/react/dialog'
import { ArrowLeft } from 'lucide-react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { IconButton } from './button.tsx'
import styles from './full-window.module.css'

export interface FullWindowProps {
  readonly title: string
  /** Beside the title, quieter. */
  readonly note?: string | undefined
  readonly closeLabel: string
  readonly onClose: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** At the end of the bar. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** One thing over the whole page, with a bar of its own. Takes the focus and gives it back; Escape closes it. */
export function FullWindow(props: FullWindowProps) {
  const { title, note, closeLabel, onClose, onKeyDown, initialFocus, actions, children } = props
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Popup
          className={styles['window']}
          onKeyDown={onKeyDown}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <div className={styles['bar']}>
            <Base.Close render={<IconButton label={closeLabel} icon={<ArrowLeft size={20} aria-hidden="true" />} />} />
            <div className={styles['heading']}>
              <Base.Title className={styles['title']} title={title} translate="no">
                {title}
              </Base.Title>
              {note !== undefined && <p className={styles['note']}>{note}</p>}
            </div>
            {actions}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
