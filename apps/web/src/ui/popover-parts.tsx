import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import { isOn, leadsOut, useExposedGuards } from './floating.ts'
import styles from './popover.module.css'

export interface PopoverPopupProps {
  readonly anchor: HTMLButtonElement
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function PopoverPopup({ anchor, title, onClose, children }: PopoverPopupProps) {
  useExposedGuards()
  return (
    <Base.Root open onOpenChange={(isOpen, { event }) => !isOpen && !isOn(anchor, event) && onClose()}>
      <Base.Portal>
        <Base.Positioner className={styles['positioner']} align="end" sideOffset={8} anchor={anchor}>
          <Base.Popup
            className={styles['popup']}
            finalFocus={() => anchor}
            // Nobody knows what comes after a window at the end of the page: from its button the next Tab goes on.
            onKeyDown={(event) => {
              if (!leadsOut(event)) return
              event.preventDefault()
              onClose()
            }}
          >
            <Base.Title className={styles['title']}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
