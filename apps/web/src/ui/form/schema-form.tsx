import { type ReactNode, useState } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import { type FormState, useForm } from '../../lib/use-form.ts'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { FailureNotice } from '../failure-notice.tsx'
import { Form } from '../form.tsx'
import { DirtyGuard } from './dirty-guard.tsx'
import styles from './form.module.css'
import { FormTabs, useTabs } from './form-tabs.tsx'
import { fieldOfError, type FormSchema, type FormTab, namesOf, schemaFaults, type Values } from './schema.ts'
import { SchemaFields } from './schema-fields.tsx'

/** Another thing to do with valid values than sending them. */
interface OtherAction<Name extends string> {
  readonly label: string
  readonly busyLabel: string
  /** Without meaning beside the present values. */
  readonly isHidden?: (values: Values<Name>) => boolean
  readonly run: (values: Values<Name>) => Promise<void>
}

export interface SchemaFormProps<Name extends string> {
  readonly schema: FormSchema<Name>
  readonly initial: Values<Name>
  /** Called with values that have no fault; what it throws is shown at its field, or above all. `form.set` is for what it changes. */
  readonly onSend: (values: Values<Name>, form: FormState<Name>) => Promise<void>
  readonly submitLabel: string
  /** On the button while it works. */
  readonly busyLabel?: string
  readonly isDone?: boolean
  readonly isDangerous?: boolean
  /** The form in parts, one at a time, with Back and Next. */
  readonly tabs?: ReadonlyArray<FormTab<Name>>
  /** Asks before a page with unsaved changes is left. */
  readonly isGuarded?: boolean
  /** In a dialog, and on a page: the way back. */
  readonly onCancel?: () => void
  /** There is no way back while something is being sent. */
  readonly isHeld?: boolean
  /** A page of its own: the buttons stay in sight, beside what was changed. */
  readonly isPage?: boolean
  /** Called once what was sent counts as saved. */
  readonly onSaved?: () => void
  /** Does something else with the values than sending them, such as a test. */
  readonly other?: OtherAction<Name>
  /** Above the fields. */
  readonly lead?: ReactNode
  /** Between the fields and the buttons; what follows the values is a function of the form. */
  readonly children?: ReactNode | ((form: FormState<Name>) => ReactNode)
}

/** A form out of its schema: fields with their rules, answers of the server at their field, one submit at a time. */
export function SchemaForm<Name extends string>(props: SchemaFormProps<Name>) {
  const { schema, initial, onSend, onSaved, tabs = [], isGuarded = false, lead, children } = props
  const texts = useTexts()
  const form: FormState<Name> = useForm<Name>({
    initial,
    faultsOf: (values) => schemaFaults(schema, values, texts),
    fieldOf: (error) => fieldOfError(schema, error, form.values),
    send: (values, set) => onSend(values, { ...form, set }),
    onSaved,
  })
  const names = namesOf(schema)
  const tabbed = useTabs(tabs, form.faulty)
  return (
    <Form
      onSubmit={(element) => {
        const faults = schemaFaults(schema, form.values, texts)
        tabbed.reveal(names.filter((name) => faults[name] !== undefined))
        form.submit(element)
      }}
    >
      {lead}
      <FailureNotice failure={form.failure} />
      {tabs.length === 0 ? (
        <SchemaFields schema={schema} form={form} names={names} />
      ) : (
        <FormTabs {...tabbed} tabs={tabs} faulty={form.faulty} onNext={form.check}>
          {(tab) => <SchemaFields schema={schema} form={form} names={tab.fields} />}
        </FormTabs>
      )}
      {typeof children === 'function' ? children(form) : children}
      <Buttons {...props} form={form} />
      {isGuarded && <DirtyGuard changed={form.changed.map((name) => schema[name].label)} />}
    </Form>
  )
}

interface ButtonsProps<Name extends string> extends SchemaFormProps<Name> {
  readonly form: FormState<Name>
}

function Buttons<Name extends string>(props: ButtonsProps<Name>) {
  const { form, submitLabel, busyLabel = submitLabel, isDone = false, isDangerous = false, onCancel, other } = props
  const { schema, isPage = false, isHeld = false } = props
  const texts = useTexts()
  const [isOther, setOther] = useState(false)
  const submit = (
    <Button kind={isDangerous ? 'dangerSolid' : 'solid'} type="submit" disabled={form.isBusy || isDone}>
      {form.isBusy && !isOther ? busyLabel : submitLabel}
    </Button>
  )
  const runOther = async (values: Values<Name>): Promise<void> => {
    setOther(true)
    await other?.run(values).finally(() => setOther(false))
  }
  const otherButton = other !== undefined && other.isHidden?.(form.values) !== true && (
    <Button
      disabled={form.isBusy}
      onClick={({ currentTarget }) => currentTarget.form !== null && form.submit(currentTarget.form, runOther)}
    >
      {isOther ? other.busyLabel : other.label}
    </Button>
  )
  if (onCancel !== undefined) {
    return (
      <div className={classNames(styles['foot'], isPage && styles['bar'])}>
        {isPage && <Changes labels={form.changed.map((name) => schema[name].label)} />}
        <Button disabled={isHeld && form.isBusy} onClick={onCancel}>
          {texts('common.cancel')}
        </Button>
        {otherButton}
        {submit}
      </div>
    )
  }
  return (
    <div className={styles['buttons']}>
      {submit}
      {otherButton}
    </div>
  )
}

/** What a save would change, by the names of the fields. */
function Changes({ labels }: { readonly labels: readonly string[] }) {
  const texts = useTexts()
  return (
    <p className={styles['changes']} role="status">
      {labels.length > 0 &&
        texts('form.changes', {
          fields: new Intl.ListFormat(texts.locale).format(labels.slice(0, CHANGES_NAMED)),
          more: Math.max(0, labels.length - CHANGES_NAMED),
        })}
    </p>
  )
}

const CHANGES_NAMED = 4
