import type { LocalClientView, LocalItemView, RateUnit } from '@godwit/contract'
import { useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { ItemRow } from './item-row.tsx'
import styles from './local.module.css'
import { usePauseText } from './page-head.tsx'
import type { Act } from './use-local-client.ts'

interface CardProps {
  readonly view: LocalClientView
  readonly act: Act
}

/** What is to be done; what failed stays here until somebody has looked after it. */
export function QueueCard({ view, act }: CardProps) {
  const texts = useTexts()
  const pause = usePauseText(view.pausedUntil)
  return (
    <SectionCard title={texts('local.queue')}>
      {pause !== undefined && <Notice kind="info">{pause}</Notice>}
      <Items
        items={view.items.filter((item) => !isOver(item))}
        none={texts('local.queue.none')}
        unit={view.rateUnit}
        act={act}
      />
    </SectionCard>
  )
}

export function HistoryCard({ view, act }: CardProps) {
  const texts = useTexts()
  return (
    <SectionCard title={texts('local.history')}>
      <Items items={view.items.filter(isOver)} none={texts('local.history.none')} unit={view.rateUnit} act={act} />
    </SectionCard>
  )
}

function isOver({ state }: LocalItemView): boolean {
  return state === 'done' || state === 'cancelled'
}

interface ItemsProps {
  readonly items: readonly LocalItemView[]
  readonly none: string
  readonly unit: RateUnit
  readonly act: Act
}

function Items({ items, none, unit, act }: ItemsProps) {
  if (items.length === 0) return <p className={styles['note']}>{none}</p>
  return (
    <ul className={styles['items']}>
      {items.map((item) => (
        <ItemRow key={item.id} item={item} unit={unit} act={act} />
      ))}
    </ul>
  )
}
