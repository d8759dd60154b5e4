import { Plus, X } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { OWN_FIELDS_MAX, type OwnField, ownFieldsIn, ownFieldsText, STANDARD_FIELDS } from './asked-values.ts'
import type { LinkField } from './link-form.ts'
import styles from './link-fields.module.css'

const LABEL_MAX = 64
const TERMS_MAX = 8192

export interface AskedFieldsProps {
  readonly form: FormState<LinkField>
  readonly error: string | undefined
}

/** What guests of an invite link say, and accept, before they bring anything. */
export function AskedFields({ form, error }: AskedFieldsProps) {
  const texts = useTexts()
  const { values } = form
  const isAsking =
    values.terms !== '' || values.askOwn !== '' || STANDARD_FIELDS.some(({ name }) => values[name] !== '')
  const choices = [
    { value: '', label: texts('links.ask.off') },
    { value: 'optional', label: texts('links.ask.optional') },
    { value: 'required', label: texts('links.ask.required') },
  ]
  return (
    <details className={styles['more']} open={isAsking}>
      <summary>{texts('links.section.ask')}</summary>
      <div className={styles['section']}>
        <div className={styles['asked']}>
          {STANDARD_FIELDS.map(({ name, kind }) => (
            <SelectField
              key={name}
              name={name}
              value={values[name]}
              label={texts(`links.ask.${kind}`)}
              choices={choices}
              onChange={({ target }) => form.set({ [name]: target.value })}
            />
          ))}
        </div>
        <OwnFields fields={ownFieldsIn(values.askOwn)} error={error} onChange={(own) => form.set({ askOwn: own })} />
        <TextArea
          {...form.field('terms')}
          error={undefined}
          label={texts('links.ask.terms')}
          hint={texts('links.ask.terms-hint')}
          maxLength={TERMS_MAX}
        />
      </div>
    </details>
  )
}

interface OwnFieldsProps {
  readonly fields: readonly OwnField[]
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

function OwnFields({ fields, error, onChange }: OwnFieldsProps) {
  const texts = useTexts()
  const change = (at: number, part: Partial<OwnField>): void =>
    onChange(ownFieldsText(fields.map((field, each) => (each === at ? { ...field, ...part } : field))))
  return (
    <fieldset className={styles['aliases']}>
      <legend>{texts('links.ask.own')}</legend>
      {fields.map(({ label, required, choices }, at) => (
        // Fields have no identity but their place.
        <div key={String(at)} className={styles['ownField']}>
          <TextField
            name={at === fields.findIndex((field) => field.label.trim() === '') ? 'askOwn' : `ask${at}`}
            label={texts('links.ask.label', { number: at + 1 })}
            value={label}
            error={label.trim() === '' ? error : undefined}
            maxLength={LABEL_MAX}
            onChange={({ target }) => change(at, { label: target.value })}
          />
          <TextField
            label={texts('links.ask.choices', { number: at + 1 })}
            hint={texts('links.ask.choices-hint')}
            value={choices}
            maxLength={LABEL_MAX * 20}
            onChange={({ target }) => change(at, { choices: target.value })}
          />
          <label className={styles['switch']}>
            <input
              type="checkbox"
              checked={required}
              onChange={({ target }) => change(at, { required: target.checked })}
            />
            <span>{texts('links.ask.required')}</span>
          </label>
          <IconButton
            label={texts('links.ask.remove', { number: at + 1 })}
            icon={<X size={18} aria-hidden="true" />}
            onClick={() => onChange(ownFieldsText(fields.filter((_field, each) => each !== at)))}
          />
        </div>
      ))}
      {fields.length < OWN_FIELDS_MAX && (
        <div>
          <Button onClick={() => onChange(ownFieldsText([...fields, { label: '', required: false, choices: '' }]))}>
            <Plus size={16} aria-hidden="true" />
            {texts('links.ask.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
