import { CircleAlert } from 'lucide-react'
import styles from './switch-field.module.css'
import fieldStyles from './text-field.module.css'

export interface SwitchFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  /** Shown in place of the hint. */
  readonly error?: string | undefined
  readonly isOn: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Yes or no, with what it means. */
export function SwitchField({ name, label, hint, error, isOn, isDisabled, onChange }: SwitchFieldProps) {
  return (
    <label className={styles['field']}>
      <input
        type="checkbox"
        name={name}
        checked={isOn}
        disabled={isDisabled}
        aria-invalid={error === undefined ? undefined : true}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        <span className={styles['label']}>{label}</span>
        {error !== undefined && (
          <span className={fieldStyles['error']} role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            {error}
          </span>
        )}
        {error === undefined && hint !== undefined && <span className={styles['hint']}>{hint}</span>}
      </span>
    </label>
  )
}
