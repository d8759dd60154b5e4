import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type CSSProperties, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { coveredBottom } from '../lib/covered-bottom.ts'
import { type Message, type Messages, stayMs } from '../lib/messages.ts'
import { useStore } from '../lib/store.ts'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Reference } from './reference.tsx'
import styles from './toasts.module.css'

const ICONS = { success: CircleCheck, info: Info, error: CircleAlert } as const

/** The time of a message passes in steps while the page is seen, so that none ends behind another tab or while the computer sleeps. */
const STEP_MS = 250

export interface ToastsProps {
  readonly messages: Messages
  readonly label: string
  readonly dismissLabel: string
}

/** Short messages, above everything, dialogs too; each stays while the pointer or the focus is on it, errors until they are closed. */
export function Toasts({ messages, label, dismissLabel }: ToastsProps) {
  const shown = useStore(messages.shown)
  const style = { '--covered': `${useStore(coveredBottom)}px` } as CSSProperties
  return createPortal(
    <div className={styles['region']} style={style} role="region" aria-label={label} aria-live="polite">
      {shown.map((message) => (
        <Toast key={message.id} message={message} dismissLabel={dismissLabel} onDismiss={messages.dismiss} />
      ))}
    </div>,
    document.body,
  )
}

interface ToastProps {
  readonly message: Message
  readonly dismissLabel: string
  readonly onDismiss: (id: number) => void
}

function Toast({ message, dismissLabel, onDismiss }: ToastProps) {
  const [isHeld, setHeld] = useState(false)
  const { id, kind, text, action, reference } = message
  const stay = stayMs(message)
  useEffect(() => {
    if (stay === undefined || isHeld) return
    let steps = stay / STEP_MS
    const timer = setInterval(() => {
      if (!document.hidden && --steps <= 0) onDismiss(id)
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [stay, isHeld, onDismiss, id])
  const Icon = ICONS[kind]
  const hold = { onPointerEnter: () => setHeld(true), onFocus: () => setHeld(true) }
  const release = { onPointerLeave: () => setHeld(false), onBlur: () => setHeld(false) }
  return (
    <div
      className={classNames(styles['toast'], styles[kind])}
      role={kind === 'error' ? 'alert' : 'status'}
      {...hold}
      {...release}
    >
      <Icon size={20} aria-hidden="true" />
      <span className={styles['text']}>
        {text}
        <Reference text={reference} />
      </span>
      {action !== undefined && (
        <Button
          kind="quiet"
          className={styles['action']}
          onClick={() => {
            action.run()
            onDismiss(id)
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={dismissLabel} icon={<X size={18} aria-hidden="true" />} onClick={() => onDismiss(id)} />
    </div>
  )
}
