import { CircleAlert } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './text-field.module.css'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  readonly label: string
  readonly hint?: string | undefined
  /** Shown in place of the hint. */
  readonly error?: string | undefined
  /** A button inside the field, at its end. */
  readonly end?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField({ label, hint, error, end, required, ...rest }: TextFieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
        {required === true && (
          <span className={styles['required']} aria-hidden="true">
            {'*'}
          </span>
        )}
      </label>
      <div className={styles['box']}>
        <input
          maxLength={256}
          {...rest}
          id={id}
          className={classNames(styles['input'], end !== undefined && styles['withEnd'])}
          aria-required={required === true ? true : undefined}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={note === undefined ? undefined : noteId}
        />
        {end !== undefined && <div className={styles['end']}>{end}</div>}
      </div>
      {error !== undefined ? (
        <p className={styles['error']} id={noteId}>
          <CircleAlert size={14} aria-hidden="true" />
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p className={styles['hint']} id={noteId}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}
