import { type RefObject, useRef } from 'react'
import { useServices } from '../../lib/services.tsx'
import { useTexts } from '../../lib/texts.tsx'
import { useIsShown } from '../../lib/use-is-shown.ts'
import { Dialog } from '../dialog.tsx'
import styles from './form.module.css'
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx'

export interface FormDialogProps<Name extends string> extends Omit<
  SchemaFormProps<Name>,
  'tabs' | 'isGuarded' | 'isHeld' | 'onCancel' | 'children'
> {
  readonly title: string
  readonly text?: string
  readonly onClose: () => void
  /** Something takes its place once it was sent: whoever shows that closes it. Without this it closes itself. */
  readonly isFollowed?: boolean
  /** What follows is shown this once, so the dialog stays while that is on its way. */
  readonly isShownOnce?: boolean
  readonly children?: SchemaFormProps<Name>['children']
}

/**
 * A dialog with a form: it says what happens, asks what it needs for that, closes once it was sent, and shows why it failed. When it
 * was closed meanwhile, a message does, and the dialog that was opened after it stays open.
 */
export function FormDialog<Name extends string>(props: FormDialogProps<Name>) {
  const { title, text, onClose, isShownOnce = false, isFollowed = isShownOnce, onSend, ...form } = props
  const texts = useTexts()
  const { messages } = useServices()
  const body = useRef<HTMLDivElement>(null)
  const isSending = useRef(false)
  const isShown = useIsShown()
  const send: typeof onSend = async (values, state) => {
    isSending.current = true
    try {
      await onSend(values, state)
      if (!isFollowed && isShown()) onClose()
    } catch (error) {
      if (!isShown()) messages.fail(error, texts)
      throw error
    } finally {
      isSending.current = false
    }
  }
  const close = (): void => {
    if (!isShownOnce || !isSending.current) onClose()
  }
  return (
    <Dialog title={title} closeLabel={texts('common.close')} onClose={close} initialFocus={firstField(body)}>
      <div ref={body}>
        {text !== undefined && <p className={styles['text']}>{text}</p>}
        <SchemaForm {...form} onSend={send} onCancel={close} isHeld={isShownOnce} />
      </div>
    </Dialog>
  )
}

/** The first thing to fill in or choose, or else the way back, looked up when the dialog asks for it. */
function firstField(body: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      const fields = 'input:not([hidden]), select, button'
      return body.current?.querySelector<HTMLElement>(fields) ?? null
    },
  }
}
