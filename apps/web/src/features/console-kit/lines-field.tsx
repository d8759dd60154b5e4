import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import type { FormState } from '../../lib/use-form.ts'
import type { Field } from '../../ui/form/index.ts'
import textStyles from '../../ui/text-field.module.css'
import styles from './console-kit.module.css'
import { linesOf } from './lines.ts'

export interface LinesOptions {
  readonly label: string
  readonly hint: string
  /** What the wire calls it. */
  readonly wire: string
  readonly rule: (lines: readonly string[]) => string | undefined
}

/** A list in a form, one entry a line. */
export function linesField<Name extends string>(name: Name, { label, hint, wire, rule }: LinesOptions): Field<Name> {
  return {
    kind: 'custom',
    label,
    wire,
    rule: (value) => rule(linesOf(value)),
    render: (form, error) => <LinesField form={form} name={name} label={label} hint={hint} error={error} />,
  }
}

interface LinesFieldProps<Name extends string> {
  readonly form: FormState<Name>
  readonly name: Name
  readonly label: string
  readonly hint: string
  readonly error: string | undefined
}

function LinesField<Name extends string>({ form, name, label, hint, error }: LinesFieldProps<Name>) {
  const id = useId()
  const { value, onChange, onBlur } = form.field(name)
  return (
    <div className={textStyles['field']}>
      <label className={textStyles['label']} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        className={`${textStyles['input']} ${styles['lines']}`}
        rows={Math.min(8, Math.max(3, value.split('\n').length + 1))}
        spellCheck={false}
        autoCapitalize="none"
        translate="no"
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-note`}
      />
      <p className={textStyles[error === undefined ? 'hint' : 'error']} id={`${id}-note`}>
        {error !== undefined && <CircleAlert size={14} aria-hidden="true" />}
        {error ?? hint}
      </p>
    </div>
  )
}
