import type { RateUnit } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './local.module.css'
import { otherUnit } from './rate-text.ts'
import type { Act } from './use-local-client.ts'

export interface RateButtonProps {
  /** Has a rate in this unit. */
  readonly text: string
  readonly unit: RateUnit
  readonly act: Act
}

/** A rate that a click shows in the other unit, here and everywhere on the page. */
export function RateButton({ text, unit, act }: RateButtonProps) {
  const texts = useTexts()
  const other = otherUnit(unit)
  const hint = texts(`local.rate.${other}`)
  return (
    <button
      type="button"
      className={styles['rate']}
      title={hint}
      aria-label={texts('local.rate.label', { rate: text, hint })}
      onClick={() => void act({ action: 'rate-unit', unit: other })}
    >
      {text}
    </button>
  )
}
