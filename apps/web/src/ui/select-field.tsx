import { ChevronDown, CircleAlert } from 'lucide-react'
import { type SelectHTMLAttributes, useId } from 'react'
import styles from './select-field.module.css'
import fieldStyles from './text-field.module.css'

export interface SelectChoice {
  readonly value: string
  readonly label: string
}

export interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className'> {
  readonly label: string
  readonly choices: readonly SelectChoice[]
  readonly hint?: string | undefined
  /** Shown in place of the hint. */
  readonly error?: string | undefined
}

/** One of a few: the platform's own list, which every keyboard, phone and screen reader knows. */
export function SelectField({ label, choices, hint, error, required, ...rest }: SelectFieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={fieldStyles['field']}>
      <label className={fieldStyles['label']} htmlFor={id}>
        {label}
        {required === true && (
          <span className={fieldStyles['required']} aria-hidden="true">
            {'*'}
          </span>
        )}
      </label>
      <div className={styles['box']}>
        <select
          {...rest}
          id={id}
          className={styles['select']}
          aria-required={required === true ? true : undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={note === undefined ? undefined : `${id}-hint`}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
        <ChevronDown className={styles['arrow']} size={18} aria-hidden="true" />
      </div>
      {note !== undefined && (
        <p className={fieldStyles[error === undefined ? 'hint' : 'error']} id={`${id}-hint`}>
          {error !== undefined && <CircleAlert size={14} aria-hidden="true" />}
          {note}
        </p>
      )}
    </div>
  )
}
