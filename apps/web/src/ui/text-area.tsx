import { CircleAlert } from 'lucide-react'
import { type TextareaHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'
import areaStyles from './text-area.module.css'
import styles from './text-field.module.css'

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'> {
  readonly label: string
  readonly hint?: string | undefined
  /** Shown in place of the hint. */
  readonly error?: string | undefined
}

/** A text of several lines. */
export function TextArea({ label, hint, error, required, ...rest }: TextAreaProps) {
  const id = useId()
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
      <textarea
        rows={3}
        {...rest}
        id={id}
        className={classNames(styles['input'], areaStyles['area'])}
        aria-required={required === true ? true : undefined}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p className={styles[error === undefined ? 'hint' : 'error']} id={`${id}-note`}>
          {error !== undefined && <CircleAlert size={14} aria-hidden="true" />}
          {note}
        </p>
      )}
    </div>
  )
}
