import { Check } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import styles from './recovery.module.css'

export interface StepsProps {
  readonly label: string
  readonly steps: readonly string[]
  /** Index of the step that is shown. */
  readonly current: number
}

/** Where somebody is in a row of steps. */
export function Steps({ label, steps, current }: StepsProps) {
  return (
    <ol className={styles['steps']} aria-label={label}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={classNames(
            styles['step'],
            index < current && styles['past'],
            index === current && styles['present'],
          )}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className={styles['mark']}>
            {index < current ? <Check size={14} strokeWidth={3} aria-hidden="true" /> : index + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  )
}
