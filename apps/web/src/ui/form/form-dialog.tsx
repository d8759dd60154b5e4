import { type RefObject, useRef } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { Dialog } from '../dialog.tsx'
import styles from './form.module.css'
import { SchemaForm, type SchemaFormProps } from './schema-form.tsx'

export interface FormDialogProps<Name extends string> extends Omit<
  SchemaFormProps<Name>,
  'tabs' | 'isGuarded' | 'onCancel' | 'children'
> {
  readonly title: string
  readonly text?: string
  readonly onClose: () => void
  readonly children?: SchemaFormProps<Name>['children']
}

/** A dialog with a form: it says what happens, asks what it needs for that, and shows why it failed. */
export function FormDialog<Name extends string>({ title, text, onClose, ...form }: FormDialogProps<Name>) {
  const texts = useTexts()
  const body = useRef<HTMLDivElement>(null)
  return (
    <Dialog title={title} closeLabel={texts('common.close')} onClose={onClose} initialFocus={firstField(body)}>
      <div ref={body}>
        {text !== undefined && <p className={styles['text']}>{text}</p>}
        <SchemaForm {...form} onCancel={onClose} />
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
