import { type ReactNode, type RefObject, useRef } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { type FormSetup, type FormState, useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import styles from './action-dialog.module.css'

export interface ActionDialogProps<Name extends string> {
  readonly title: string
  readonly text?: string
  readonly submitLabel: string
  readonly isDangerous?: boolean
  readonly initial: FormSetup<Name>['initial']
  readonly faultsOf: FormSetup<Name>['faultsOf']
  /** Leaves the dialog open; what it throws is shown in it. */
  readonly onSubmit: FormSetup<Name>['send']
  readonly onClose: () => void
  readonly children: (form: FormState<Name>) => ReactNode
}

/** A dialog with a form: it says what happens, asks what it needs for that, and shows why it failed. */
export function ActionDialog<Name extends string>(props: ActionDialogProps<Name>) {
  const { title, text, submitLabel, isDangerous = false, initial, faultsOf, onSubmit, onClose, children } = props
  const texts = useTexts()
  const body = useRef<HTMLDivElement>(null)
  const form = useForm<Name>({ initial, faultsOf, send: onSubmit })
  return (
    <Dialog title={title} closeLabel={texts('common.close')} onClose={onClose} initialFocus={firstField(body)}>
      <div ref={body}>
        {text !== undefined && <p className={styles['text']}>{text}</p>}
        <Form onSubmit={form.submit}>
          <FailureNotice failure={form.failure} />
          {children(form)}
          <div className={styles['buttons']}>
            <Button onClick={onClose}>{texts('common.cancel')}</Button>
            <Button kind={isDangerous ? 'dangerSolid' : 'solid'} type="submit" disabled={form.isBusy}>
              {submitLabel}
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  )
}

/** The first thing to fill in or choose, or else the way back, looked up when the dialog asks for it: what is inside comes from the caller. */
function firstField(body: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      const fields = 'input:not([hidden]), select, button'
      return body.current?.querySelector<HTMLElement>(fields) ?? null
    },
  }
}
