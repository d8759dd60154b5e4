import type { GuestField, GuestForm } from '@godwit/contract'
import { isEmail } from '@godwit/contract/field-rules'
import { visits } from '@godwit/contract/table/visits'
import { useRef } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormState, useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { Visit } from './visit.ts'
import styles from './visits.module.css'

export interface GuestFormProps {
  readonly visit: Visit
  readonly form: GuestForm
  readonly account: string
  /** It was taken: the way is free. */
  readonly onEntered: () => void
}

const VALUE_MAX = 1000
const TERMS = 'terms'

/** What the owner of an invite link wants to know, and to have accepted, before anything is brought. */
export function GuestFormCard({ visit, form: { terms, fields }, account, onEntered }: GuestFormProps) {
  const texts = useTexts()
  const element = useRef<HTMLDivElement>(null)
  const form = useForm<string>({
    initial: { ...Object.fromEntries(fields.map((_field, at) => [nameOf(at), ''] as const)), [TERMS]: '' },
    faultsOf: (values) => ({
      ...Object.fromEntries(fields.map((field, at) => [nameOf(at), faultOf(field, values[nameOf(at)] ?? '', texts)])),
      [TERMS]: terms === '' || values[TERMS] === 'on' ? undefined : texts('share.form.accept-first'),
    }),
    async send(values) {
      const said = fields.map((_field, at) => values[nameOf(at)]?.trim() ?? '')
      await visit.api.call(visits.enter, { body: { accepted: values[TERMS] === 'on', values: said } })
      onEntered()
    },
    fieldOf: (error) => (isFailure(error, 'EMAIL_INVALID') ? emailField(fields) : undefined),
  })
  return (
    <section className={styles['card']} aria-labelledby="guest-form-title" data-testid="guest-form">
      <header className={styles['cardHead']}>
        <h2 id="guest-form-title">{texts('share.form.title')}</h2>
      </header>
      <div ref={element} className={styles['form']}>
        <p className={styles['note']}>{texts('share.form.text', { account })}</p>
        <Form onSubmit={form.submit}>
          <FailureNotice failure={form.failure} />
          {fields.map((field, at) => (
            <AskedField key={nameOf(at)} form={form} name={nameOf(at)} field={field} />
          ))}
          {terms !== '' && <Terms form={form} terms={terms} />}
          <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
            {texts('share.form.submit')}
          </Button>
        </Form>
      </div>
    </section>
  )
}

function nameOf(at: number): string {
  return `values.${at}`
}

function emailField(fields: readonly GuestField[]): string | undefined {
  const at = fields.findIndex(({ kind }) => kind === 'email')
  return at < 0 ? undefined : nameOf(at)
}

function faultOf({ kind, required }: GuestField, value: string, texts: Texts): string | undefined {
  if (value.trim() === '') return required ? texts('common.required') : undefined
  return kind === 'email' && !isEmail(value.trim()) ? texts('share.form.email-invalid') : undefined
}

interface AskedProps {
  readonly form: FormState<string>
  readonly name: string
  readonly field: GuestField
}

const AUTO_COMPLETE: Partial<Record<GuestField['kind'], string>> = { name: 'name', email: 'email' }

function AskedField({ form, name, field: { kind, label, required, choices } }: AskedProps) {
  const texts = useTexts()
  const shown = kind === 'text' || kind === 'choice' ? label : texts(`share.form.${kind}`)
  const facts = form.field(name)
  const error = form.refused?.name === name ? texts.failure(form.refused.error) : facts.error
  if (kind === 'remark')
    return <TextArea {...facts} error={error} label={shown} required={required} maxLength={VALUE_MAX} />
  if (kind === 'choice') {
    const { value, onChange } = facts
    const none = { value: '', label: texts('share.form.choose') }
    return (
      <SelectField
        name={name}
        value={value}
        onChange={onChange}
        label={shown}
        required={required}
        error={error}
        choices={[none, ...choices.map((choice) => ({ value: choice, label: choice }))]}
      />
    )
  }
  return (
    <TextField
      {...facts}
      error={error}
      label={shown}
      required={required}
      maxLength={VALUE_MAX}
      autoComplete={AUTO_COMPLETE[kind] ?? 'off'}
      {...(kind === 'email' ? { type: 'email', inputMode: 'email' as const } : {})}
    />
  )
}

function Terms({ form, terms }: { readonly form: FormState<string>; readonly terms: string }) {
  const texts = useTexts()
  const { error } = form.field(TERMS)
  return (
    <div>
      <div className={styles['terms']} tabIndex={0} role="region" aria-label={texts('share.form.terms')}>
        {terms}
      </div>
      <label className={styles['accept']}>
        <input
          type="checkbox"
          name={TERMS}
          checked={form.values[TERMS] === 'on'}
          onChange={({ target }) => form.set({ [TERMS]: target.checked ? 'on' : '' })}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : 'terms-fault'}
        />
        {texts('share.form.accept')}
      </label>
      {error !== undefined && (
        <p className={styles['bad']} id="terms-fault">
          {error}
        </p>
      )}
    </div>
  )
}
