import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import styles from './check-group.module.css'
import fieldStyles from './text-field.module.css'

export interface CheckGroupProps<Value extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<{ readonly value: Value; readonly label: string }>
  readonly chosen: ReadonlySet<Value>
  readonly onChange: (chosen: ReadonlySet<Value>) => void
  /** Default true. */
  readonly required?: boolean | undefined
  readonly error?: string | undefined
  /** What chooses several at once. */
  readonly tools?: ReactNode
}

/** Any of a few. */
export function CheckGroup<Value extends string>({
  label,
  choices,
  chosen,
  onChange,
  required = true,
  error,
  tools,
}: CheckGroupProps<Value>) {
  const id = useId()
  const toggle = (value: Value): void => {
    const next = new Set(chosen)
    if (!next.delete(value)) next.add(value)
    onChange(next)
  }
  return (
    <fieldset className={styles['group']} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={fieldStyles['label']}>
        {label}
        {required && (
          <span className={fieldStyles['required']} aria-hidden="true">
            {'*'}
          </span>
        )}
      </legend>
      {tools !== undefined && <div className={styles['tools']}>{tools}</div>}
      <div className={styles['choices']}>
        {choices.map((choice) => (
          <label key={choice.value} className={styles['choice']}>
            <input type="checkbox" checked={chosen.has(choice.value)} onChange={() => toggle(choice.value)} />
            {choice.label}
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p className={fieldStyles['error']} id={`${id}-error`}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
