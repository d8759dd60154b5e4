import { classNames } from './class-names.ts'
import styles from './progress-bar.module.css'

export type ProgressTone = 'active' | 'paused' | 'done' | 'warning' | 'error'

export interface ProgressBarProps {
  readonly label: string
  /** 0 to 1. */
  readonly value: number
  readonly tone?: ProgressTone
}

export function ProgressBar({ label, value, tone = 'active' }: ProgressBarProps) {
  const share = Math.min(1, Math.max(0, value))
  return (
    <div
      className={classNames(styles['bar'], tone !== 'active' && styles[tone])}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
    >
      <div className={styles['fill']} style={{ transform: `scaleX(${share})` }} />
    </div>
  )
}
