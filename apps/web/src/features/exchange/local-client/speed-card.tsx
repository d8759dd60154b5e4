import type { RateUnit } from '@godwit/contract'
import { useId, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import styles from './local.module.css'
import { RateButton } from './rate-button.tsx'
import { bytesOfMbps, rateText } from './rate-text.ts'
import { RATE_STEPS, rateAt, stepOf } from './rate-steps.ts'
import type { Act } from './use-local-client.ts'

export interface SpeedCardProps {
  readonly rateMbps: number
  readonly unit: RateUnit
  readonly act: Act
}

export function SpeedCard({ rateMbps, unit, act }: SpeedCardProps) {
  const texts = useTexts()
  const id = useId()
  /** While somebody moves it; what the client says is a second old. */
  const [moved, setMoved] = useState<number>()
  const shown = moved ?? stepOf(rateMbps)
  const rate = moved === undefined ? rateMbps : rateAt(moved)
  const value = rate === 0 ? texts('local.speed.none') : rateText(bytesOfMbps(rate), unit, texts.locale)
  const move = async (step: number): Promise<void> => {
    setMoved(step)
    await act({ action: 'rate', rateMbps: rateAt(step) })
    setMoved((last) => (last === step ? undefined : last))
  }
  return (
    <SectionCard title={texts('local.speed')} lead={texts('local.speed.lead')}>
      <div className={styles['slider']}>
        <span className={styles['sliderWords']}>
          <label htmlFor={id}>{texts('local.speed.label')}</label>
          <output data-testid="rate">{rate === 0 ? value : <RateButton text={value} unit={unit} act={act} />}</output>
        </span>
        <input
          id={id}
          type="range"
          min={0}
          max={RATE_STEPS.length}
          step={1}
          value={shown}
          aria-valuetext={value}
          onChange={({ target }) => void move(Number(target.value))}
        />
      </div>
    </SectionCard>
  )
}
