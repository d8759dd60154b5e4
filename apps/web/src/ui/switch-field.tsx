import styles from './switch-field.module.css'

export interface SwitchFieldProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Yes or no, with what it means. */
export function SwitchField({ name, label, hint, isOn, onChange }: SwitchFieldProps) {
  return (
    <label className={styles['field']}>
      <input type="checkbox" name={name} checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <span>
        <span className={styles['label']}>{label}</span>
        {hint !== undefined && <span className={styles['hint']}>{hint}</span>}
      </span>
    </label>
  )
}
