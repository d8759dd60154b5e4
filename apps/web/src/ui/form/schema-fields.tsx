import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.tsx'
import type { FormState } from '../../lib/use-form.ts'
import { CheckGroup } from '../check-group.tsx'
import { PasswordField } from '../password-field.tsx'
import { SelectField } from '../select-field.tsx'
import { SwitchField } from '../switch-field.tsx'
import { TextField } from '../text-field.tsx'
import styles from './form.module.css'
import { type Field, type FormSchema, ON, valueOf } from './schema.ts'

export interface SchemaFieldsProps<Name extends string> {
  readonly schema: FormSchema<Name>
  readonly form: FormState<Name>
  readonly names: readonly Name[]
}

/** The fields of a schema, each with its label, help, rule and what the server said about it. */
export function SchemaFields<Name extends string>({ schema, form, names }: SchemaFieldsProps<Name>) {
  const shown = names.filter((name) => schema[name].isHidden?.(form.values) !== true)
  return lines(schema, shown).map((line) => (
    <div key={line[0]} className={line.length > 1 ? styles['beside'] : styles['line']}>
      {line.map((name) => (
        <SchemaField key={name} name={name} field={schema[name]} form={form} />
      ))}
    </div>
  ))
}

function lines<Name extends string>(schema: FormSchema<Name>, names: readonly Name[]): ReadonlyArray<readonly Name[]> {
  return names.reduce<ReadonlyArray<readonly Name[]>>((before, name) => {
    const last = before.at(-1)
    if (last === undefined || schema[name].isBeside !== true) return [...before, [name]]
    return [...before.slice(0, -1), [...last, name]]
  }, [])
}

interface SchemaFieldProps<Name extends string> {
  readonly name: Name
  readonly field: Field<Name>
  readonly form: FormState<Name>
}

function SchemaField<Name extends string>({ name, field, form }: SchemaFieldProps<Name>) {
  const texts = useTexts()
  const { refused, values } = form
  const error = refused?.name === name ? texts.failure(refused.error) : form.field(name).error
  return (
    <div className={styles['field']} role={refused?.name === name ? 'alert' : undefined}>
      <Control name={name} field={field} form={form} error={error} />
      {field.note?.(values, form)}
    </div>
  )
}

interface ControlProps<Name extends string> extends SchemaFieldProps<Name> {
  readonly error: string | undefined
}

function Control<Name extends string>({ name, field, form, error }: ControlProps<Name>): ReactNode {
  const { label, derive } = field
  const { values } = form
  const slot = form.field(name)
  const onChange = ({ target }: { readonly target: { readonly value: string } }): void => {
    slot.onChange({ target })
    if (derive !== undefined) form.set(derive(target.value, values))
  }
  const hint = valueOf(field.hint, values)
  const required = valueOf(field.isRequired, values) ?? false
  const readOnly = field.isReadOnly === true
  const common = { name, label, hint, required, value: slot.value, onChange }
  switch (field.kind) {
    case 'text':
      return <TextField {...inputFacts(field)} {...common} readOnly={readOnly} onBlur={slot.onBlur} error={error} />
    case 'password':
      return <PasswordField {...inputFacts(field)} {...common} onBlur={slot.onBlur} error={error} />
    case 'select': {
      const choices = valueOf(field.choices, values)
      return <SelectField {...common} choices={choices} translate={field.translate} error={error} />
    }
    case 'checks':
      return (
        <CheckGroup
          label={label}
          choices={field.choices}
          chosen={new Set(slot.value.split(' ').filter((each) => each !== ''))}
          onChange={(chosen) => onChange({ target: { value: [...chosen].join(' ') } })}
          required={valueOf(field.isRequired, values)}
          error={error}
        />
      )
    case 'switch':
      return (
        <SwitchField
          name={name}
          label={label}
          hint={hint}
          error={error}
          isOn={slot.value === ON}
          isDisabled={readOnly}
          onChange={(isOn) => onChange({ target: { value: isOn ? ON : '' } })}
        />
      )
    case 'custom':
      return field.render(form, error)
  }
}

function inputFacts<Name extends string>(field: Extract<Field<Name>, { kind: 'text' | 'password' }>) {
  const { type, autoComplete, autoCapitalize, autoFocus, inputMode, maxLength, spellCheck, translate } = field
  const facts = { type, autoComplete, autoCapitalize, autoFocus, inputMode, maxLength, spellCheck, translate }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
