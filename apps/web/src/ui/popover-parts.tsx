import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import styles from './popover.module.css'

export interface PopoverPopupProps {
  readonly anchor: HTMLButtonElement
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function PopoverPopup({ anchor, title, onClose, children }: PopoverPopupProps) {
  return (
    <Base.Root
      open
      onOpenChange={(isOpen, { event }) => {
        // The button closes it by itself; closing here as well would open it again.
        const isOnButton = event.target instanceof Node && anchor.contains(event.target)
        if (!isOpen && !isOnButton) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner className={styles['positioner']} align="end" sideOffset={8} anchor={anchor}>
          <Base.Popup className={styles['popup']} finalFocus={() => anchor}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
