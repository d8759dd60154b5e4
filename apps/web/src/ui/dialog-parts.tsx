import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { useExposedGuards } from './floating.ts'

export interface DialogProps {
  readonly title: string
  readonly closeLabel: string
  readonly onClose: () => void
  readonly width?: 'normal' | 'wide'
  readonly foot?: ReactNode
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** A click beside the dialog does not close it: what it shows will not be shown again. */
  readonly isKeptOpen?: boolean
  readonly children: ReactNode
}

export function Dialog(props: DialogProps) {
  const { title, closeLabel, onClose, width = 'normal', foot, initialFocus, isKeptOpen = false, children } = props
  useExposedGuards()
  return (
    <Base.Root open disablePointerDismissal={isKeptOpen} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} forceRender />
        <Base.Popup
          className={classNames(styles['popup'], width === 'wide' && styles['wide'])}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <div className={styles['head']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            <Base.Close render={<IconButton label={closeLabel} icon={<X size={20} aria-hidden="true" />} />} />
          </div>
          <div className={styles['body']}>{children}</div>
          {foot !== undefined && <div className={styles['foot']}>{foot}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export interface DrawerProps {
  readonly title: string
  readonly closeLabel: string
  readonly onClose: () => void
  /** `end` (default): 460 px, for what belongs to the page. `start`: the menu of a narrow screen. */
  readonly side?: 'start' | 'end'
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** Slides in over the edge of the page and takes the focus; closing gives it back. */
export function Drawer({ title, closeLabel, onClose, side = 'end', foot, children }: DrawerProps) {
  useExposedGuards()
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} forceRender />
        <Base.Popup className={classNames(styles['drawer'], side === 'end' && styles['atEnd'])}>
          <div className={styles['head']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            <Base.Close render={<IconButton label={closeLabel} icon={<X size={20} aria-hidden="true" />} />} />
          </div>
          {/* Facts take no focus, so without one of its own a long drawer could not be scrolled by key. */}
          {side === 'end' ? (
            <div className={styles['body']} tabIndex={0} role="region" aria-label={title}>
              {children}
            </div>
          ) : (
            children
          )}
          {foot !== undefined && <div className={styles['foot']}>{foot}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export interface ConfirmProps {
  readonly title: string
  readonly text: string
  /** Buttons. An `autoFocus` of theirs would make the dialog forget what had the focus before it. */
  readonly foot: ReactNode
  /** Default: the first button. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** Absent: the dialog cannot be dismissed. */
  readonly onClose?: (() => void) | undefined
}

/** A question that must be answered: read aloud at once, and a click beside it does not close it. */
export function Confirm({ title, text, foot, initialFocus, onClose }: ConfirmProps) {
  useExposedGuards()
  return (
    <BaseAlert.Root open onOpenChange={(isOpen) => !isOpen && onClose?.()}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={styles['backdrop']} forceRender />
        <BaseAlert.Popup
          className={classNames(styles['popup'], styles['confirm'])}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <div className={styles['head']}>
            <BaseAlert.Title className={styles['title']}>{title}</BaseAlert.Title>
          </div>
          <div className={styles['body']}>
            <BaseAlert.Description className={styles['text']}>{text}</BaseAlert.Description>
          </div>
          <div className={styles['foot']}>{foot}</div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  )
}
