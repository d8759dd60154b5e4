import { cloneElement, type ReactElement, type ReactNode, type Ref, useRef, useState } from 'react'
import { lazyModule, lazyWindow } from '../lib/lazy.tsx'

const parts = lazyModule(() => import('./popover-parts.tsx'))
const Popup = lazyWindow(parts, (module) => module.PopoverPopup)

/** Popovers arrive with the first one that opens, or when the page is idle. */
export const preloadPopovers = parts.prefetch

interface TriggerProps {
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick?: () => void
  readonly 'aria-haspopup'?: 'dialog'
  readonly 'aria-expanded'?: boolean
}

export interface PopoverButtonProps {
  /** The button that opens and closes it. */
  readonly trigger: ReactElement<TriggerProps>
  readonly title: string
  /** Called with a function that closes the popover. */
  readonly children: (close: () => void) => ReactNode
}

/** A button with a small window of its own: it does not stop the rest of the page. */
export function PopoverButton({ trigger, title, children }: PopoverButtonProps) {
  const ref = useRef<HTMLButtonElement>(null)
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const close = (): void => setAnchor(null)
  return (
    <>
      {cloneElement(trigger, {
        ref,
        onClick: () => setAnchor(anchor === null ? ref.current : null),
        'aria-haspopup': 'dialog',
        'aria-expanded': anchor !== null,
      })}
      {anchor !== null && (
        <Popup anchor={anchor} title={title} onClose={close}>
          {children(close)}
        </Popup>
      )}
    </>
  )
}
