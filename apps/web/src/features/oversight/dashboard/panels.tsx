import type { DashboardBackup, DashboardNode, DashboardStorage, HealthItem } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleMinus, TriangleAlert } from 'lucide-react'
import { formatDuration, formatSize, formatTime } from '../../../lib/formats.ts'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { ProgressBar, type ProgressTone } from '../../../ui/progress-bar.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import styles from './dashboard.module.css'

/** As everywhere: from half full on it warns, from nine tenths on it is an error. */
const FULL = { warning: 0.5, error: 0.9 } as const

export function StoragesPanel({ storages }: { readonly storages: readonly DashboardStorage[] }) {
  const texts = useTexts()
  return (
    <SectionCard
      title={texts('storages.title')}
      action={<Link to="/admin/storages">{texts('dashboard.open-page')}</Link>}
    >
      <ul className={styles['list']}>
        {storages.map((storage) => (
          <li key={storage.id}>
            <div className={styles['line']}>
              <span translate="no">{storage.name}</span>
              <span className={styles['figure']}>
                <Room {...storage} />
              </span>
            </div>
            {storage.totalBytes !== null && storage.freeBytes !== null && (
              <ProgressBar
                label={texts('dashboard.storage.used', { name: storage.name })}
                value={usedShare(storage)}
                tone={toneOf(usedShare(storage))}
              />
            )}
            {storage.error !== '' && (
              <p className={styles['fault']}>
                <TriangleAlert size={16} aria-hidden="true" />
                {storage.message}
              </p>
            )}
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

function Room({ freeBytes, totalBytes }: Pick<DashboardStorage, 'freeBytes' | 'totalBytes'>) {
  const texts = useTexts()
  if (freeBytes === null || totalBytes === null) return texts('dashboard.storage.unlimited')
  const { locale } = texts
  return texts('dashboard.storage.free', {
    free: formatSize(freeBytes, locale),
    total: formatSize(totalBytes, locale),
  })
}

function usedShare({ freeBytes, totalBytes }: DashboardStorage): number {
  return totalBytes === null || totalBytes === 0 ? 0 : 1 - (freeBytes ?? 0) / totalBytes
}

function toneOf(share: number): ProgressTone {
  if (share >= FULL.error) return 'error'
  return share >= FULL.warning ? 'warning' : 'active'
}

const HEALTH_NAMES: Readonly<Record<string, PortalKey>> = {
  database: 'dashboard.health.database',
  data: 'dashboard.health.data',
  storage: 'dashboard.health.storage',
  mail: 'dashboard.health.mail',
}
const HEALTH_ICONS = { ok: CircleCheck, off: CircleMinus, failed: TriangleAlert } as const

export function HealthPanel({ health }: { readonly health: readonly HealthItem[] }) {
  const texts = useTexts()
  return (
    <SectionCard title={texts('dashboard.health')}>
      <ul className={styles['list']}>
        {health.map(({ name, state, message }) => {
          const Icon = HEALTH_ICONS[state]
          const known = HEALTH_NAMES[name]
          return (
            <li key={name} data-state={state}>
              <div className={styles['line']}>
                <span>{known === undefined ? name : texts(known)}</span>
                <span className={styles[state]}>
                  <Icon size={16} aria-hidden="true" />
                  {texts(`dashboard.health.${state}`)}
                </span>
              </div>
              {message !== '' && <p className={styles['reason']}>{message}</p>}
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}

/** What waits for somebody to look at it. */
export function TroublePanel(counts: { readonly failedJobs: number; readonly parkedEvents: number }) {
  const texts = useTexts()
  const lines = [
    { to: '/admin/jobs', label: texts('failed-jobs.title'), count: counts.failedJobs },
    { to: '/admin/jobs/events', label: texts('parked-events.title'), count: counts.parkedEvents },
  ]
  return (
    <SectionCard title={texts('dashboard.trouble')}>
      <ul className={styles['list']}>
        {lines.map(({ to, label, count }) => (
          <li key={to}>
            <div className={styles['line']}>
              <Link to={to}>{label}</Link>
              <span className={styles[count === 0 ? 'figure' : 'failed']} data-testid={to}>
                {count > 0 && <TriangleAlert size={16} aria-hidden="true" />}
                {count === 0 ? texts('dashboard.none') : texts('dashboard.waiting-count', { count })}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

/** Whether what is here would survive the loss of this server. */
export function BackupPanel({ backup }: { readonly backup: DashboardBackup }) {
  const texts = useTexts()
  const { isOn, state, lastDoneAt, drillState, drilledAt } = backup
  const time = (ms: number | null): string => (ms === null ? '-' : formatTime(ms / 1000))
  const drill = texts(`backups.drill.${drillState === '' ? 'none' : drillState}`)
  const facts = [
    { label: texts('backups.schedule'), value: texts(isOn ? 'backups.on' : 'backups.off') },
    { label: texts('backups.last'), value: time(lastDoneAt) },
    { label: texts('backups.state'), value: state === '' ? '-' : texts(`backups.state.${state}`) },
    { label: texts('backups.drill.state'), value: drilledAt === null ? drill : `${drill}, ${time(drilledAt)}` },
  ]
  return (
    <SectionCard
      title={texts('backups.title')}
      action={<Link to="/admin/backups">{texts('dashboard.open-page')}</Link>}
    >
      <Facts facts={facts} />
    </SectionCard>
  )
}

export function NodePanel({ node, now }: { readonly node: DashboardNode; readonly now: number }) {
  const texts = useTexts()
  const facts = [
    { label: texts('dashboard.version'), value: node.version },
    { label: texts('dashboard.runtime'), value: node.runtime },
    { label: texts('dashboard.system'), value: node.system },
    { label: texts('dashboard.processors'), value: node.processors },
    { label: texts('dashboard.started'), value: formatTime(node.startedAt / 1000) },
    { label: texts('dashboard.uptime'), value: formatDuration((now - node.startedAt) / 1000, texts.locale) },
  ]
  return (
    <SectionCard title={texts('dashboard.server', { host: node.host })}>
      <Facts facts={facts} />
    </SectionCard>
  )
}
