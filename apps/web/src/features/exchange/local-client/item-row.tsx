import type { LocalItemView, RateUnit } from '@godwit/contract'
import { ArrowDownToLine, ArrowUpFromLine, Pause, Play, RotateCcw, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDuration, formatMinute, formatSize } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { limitText } from '../../../lib/transfer-limit.ts'
import { IconButton } from '../../../ui/button.tsx'
import { ProgressBar, type ProgressTone } from '../../../ui/progress-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { type ItemAction, itemActions } from './item-actions.ts'
import { ItemConflicts } from './item-conflicts.tsx'
import { itemFailure } from './item-failure.ts'
import styles from './local.module.css'
import { RateButton } from './rate-button.tsx'
import { rateText } from './rate-text.ts'
import type { Act } from './use-local-client.ts'

const ICONS: Readonly<Record<ItemAction, ReactNode>> = {
  pause: <Pause size={16} aria-hidden="true" />,
  resume: <Play size={16} aria-hidden="true" />,
  retry: <RotateCcw size={16} aria-hidden="true" />,
  cancel: <X size={16} aria-hidden="true" />,
  forget: <Trash2 size={16} aria-hidden="true" />,
}

const TAG_TONES = { done: 'good', running: 'good', failed: 'bad', partial: 'bad', asking: 'warning' } as const
const BAR_TONES: Readonly<Partial<Record<LocalItemView['state'], ProgressTone>>> = {
  paused: 'paused',
  waiting: 'paused',
  failed: 'error',
  partial: 'warning',
  asking: 'warning',
}

export interface ItemRowProps {
  readonly item: LocalItemView
  readonly unit: RateUnit
  readonly act: Act
}

export function ItemRow({ item, unit, act }: ItemRowProps) {
  const texts = useTexts()
  const { id, name, state, bytes, bytesDone } = item
  const Direction = item.direction === 'upload' ? ArrowUpFromLine : ArrowDownToLine
  const isOpen = state !== 'done' && state !== 'cancelled'
  return (
    <li className={styles['item']} data-state={state}>
      <div className={styles['line']}>
        <Direction size={16} aria-hidden="true" />
        <span className={styles['name']} title={name} translate="no">
          {name}
        </span>
        <Tag tone={state in TAG_TONES ? TAG_TONES[state as keyof typeof TAG_TONES] : 'plain'}>
          {texts(`local.state.${state}`)}
        </Tag>
        <span className={styles['buttons']}>
          {itemActions(state).map((action) => (
            <IconButton
              key={action}
              label={texts(`local.${action}`, { name })}
              icon={ICONS[action]}
              onClick={() => void act({ action, id })}
            />
          ))}
        </span>
      </div>
      {isOpen && bytes > 0 && (
        <ProgressBar
          label={texts('local.progress', { name })}
          value={bytesDone / bytes}
          tone={BAR_TONES[state] ?? 'active'}
        />
      )}
      <Facts item={item} unit={unit} act={act} />
      <ItemConflicts item={item} act={act} />
      <Failures item={item} />
    </li>
  )
}

function Facts({ item, unit, act }: ItemRowProps) {
  const texts = useTexts()
  const { state, bytesPerSecond, path } = item
  const rate = rateText(bytesPerSecond, unit, texts.locale)
  const [first, ...more] = factsOf(item, texts).map((fact) => <span key={fact}>{fact}</span>)
  return (
    <p className={styles['facts']}>
      {first}
      {state === 'running' && path !== '' && (
        <RateButton text={texts('transfers.path', { rate, path: path.toUpperCase() })} unit={unit} act={act} />
      )}
      {more}
    </p>
  )
}

function factsOf(item: LocalItemView, texts: Texts): readonly string[] {
  const { target, state, bytes, bytesDone, bytesPerSecond, path, finishedAt } = item
  const { locale } = texts
  const all = formatSize(bytes, locale)
  const facts = [texts('local.to', { target })]
  if (bytes > 0) facts.push(state === 'done' ? all : texts('local.of', { done: formatSize(bytesDone, locale), all }))
  if (state === 'running' && path !== '') {
    const limit = limitText({ state, bottleneck: item.bottleneck }, texts)
    if (limit !== undefined) facts.push(limit)
    if (bytesPerSecond > 0)
      facts.push(texts('local.left', { time: formatDuration((bytes - bytesDone) / bytesPerSecond, locale) }))
  }
  if (finishedAt > 0) facts.push(formatMinute(finishedAt))
  return facts
}

function Failures({ item }: { readonly item: LocalItemView }) {
  const texts = useTexts()
  const { error, failures } = item
  if (error === '' && failures.length === 0) return null
  return (
    <div className={styles['failures']}>
      {error !== '' && <p>{itemFailure(error, texts)}</p>}
      {failures.length > 0 && (
        <details>
          <summary>{texts('local.failures', { count: failures.length })}</summary>
          <ul>
            {failures.map(({ path, code }, at) => (
              <li key={`${at} ${path}`}>
                <span translate="no">{path}</span>
                <small>{itemFailure(code, texts)}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
