import type { Dashboard, DashboardNode } from '@godwit/contract'
import { useState } from 'react'
import { formatRate, formatSize } from '../../../lib/formats.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import type { LineChartProps } from './chart-values.ts'
import { ChecklistCard, useChecklist } from './checklist.tsx'
import styles from './dashboard.module.css'
import { useDashboard, useLiveDashboard } from './dashboard-query.ts'
import { LineChart } from './line-chart.tsx'
import { BackupPanel, HealthPanel, NodePanel, StoragesPanel, TroublePanel } from './panels.tsx'

/** How the server is: the first page of the console. */
export function DashboardPage() {
  return useTextBundle('dashboard') ? <DashboardOfNode /> : null
}

function DashboardOfNode() {
  const texts = useTexts()
  const [wanted, setWanted] = useState<string>()
  const query = useDashboard(wanted)
  const isLive = useLiveDashboard()
  const checklist = useChecklist()
  // Drawn at once: a card that came later would push everything else down.
  const whole = checklist.isLoading ? { ...query, data: undefined } : query
  const frame = { title: texts('dashboard.title'), help: texts('dashboard.help') }
  return (
    <LoadedPage {...frame} query={whole} isNarrow={false}>
      {(dashboard) => {
        const node = dashboard.nodes.find(({ id }) => id === wanted) ?? dashboard.nodes[0]
        return (
          <PageFrame {...frame} actions={<Liveness isLive={isLive && query.error === null} />}>
            {dashboard.nodes.length > 1 && (
              <NodeChoice nodes={dashboard.nodes} chosen={node?.id ?? ''} onChoose={setWanted} />
            )}
            <ChecklistCard />
            <Tiles dashboard={dashboard} node={node} />
            <div className={styles['charts']}>
              {chartsOf(texts, dashboard, node).map((chart) => (
                <LineChart key={chart.name} {...chart} now={dashboard.at} />
              ))}
            </div>
            <div className={styles['panels']}>
              {dashboard.storages !== null && <StoragesPanel storages={dashboard.storages} />}
              <HealthPanel health={dashboard.health} />
              {dashboard.failedJobs !== null && (
                <TroublePanel failedJobs={dashboard.failedJobs} parkedEvents={dashboard.parkedEvents ?? 0} />
              )}
              {dashboard.backup !== null && <BackupPanel backup={dashboard.backup} />}
              {node !== undefined && <NodePanel node={node} now={dashboard.at} />}
            </div>
          </PageFrame>
        )
      }}
    </LoadedPage>
  )
}

function Liveness({ isLive }: { readonly isLive: boolean }) {
  const texts = useTexts()
  return (
    <span role="status" data-testid="liveness">
      <Tag tone={isLive ? 'good' : 'plain'}>{texts(isLive ? 'dashboard.live' : 'dashboard.waiting')}</Tag>
    </span>
  )
}

interface NodeChoiceProps {
  readonly nodes: readonly DashboardNode[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

function NodeChoice({ nodes, chosen, onChoose }: NodeChoiceProps) {
  const texts = useTexts()
  return (
    <div className={styles['nodes']}>
      <SelectField
        label={texts('dashboard.node')}
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
        choices={nodes.map(({ id, host }) => ({ value: id, label: `${host} · ${id.slice(0, 4)}` }))}
      />
    </div>
  )
}

function Tiles({ dashboard, node }: { readonly dashboard: Dashboard; readonly node: DashboardNode | undefined }) {
  const texts = useTexts()
  const { locale } = texts
  const sample = node?.sample
  const memory = sample && `${formatSize(sample.memoryBytes, locale)} / ${formatSize(sample.memoryTotalBytes, locale)}`
  const tiles = [
    { label: texts('dashboard.online'), value: count(dashboard.online, locale) },
    { label: texts('dashboard.connections'), value: sample && count(sample.connections, locale) },
    { label: texts('dashboard.cpu'), value: sample && percent(sample.cpu, locale) },
    { label: texts('dashboard.memory'), value: memory },
  ]
  return (
    <dl className={styles['tiles']}>
      {tiles.map(({ label, value }) => (
        <div key={label} className={styles['tile']}>
          <dt>{label}</dt>
          <dd>{value ?? '-'}</dd>
        </div>
      ))}
    </dl>
  )
}

type Chart = Omit<LineChartProps, 'now'>

function chartsOf(texts: Texts, { samples }: Dashboard, node: DashboardNode | undefined): readonly Chart[] {
  const { locale } = texts
  const times = samples.map(({ at }) => at)
  return [
    {
      ...{ name: 'cpu', title: texts('dashboard.cpu'), times, top: 1 },
      format: (value) => percent(value, locale),
      series: [
        { name: texts('dashboard.machine'), values: samples.map(({ cpu }) => cpu) },
        { name: texts('dashboard.process'), values: samples.map(({ processCpu }) => processCpu) },
      ],
    },
    {
      ...{ name: 'memory', title: texts('dashboard.memory'), times, top: node?.sample.memoryTotalBytes ?? 1 },
      format: (value) => formatSize(value, locale),
      series: [
        { name: texts('dashboard.machine'), values: samples.map(({ memoryBytes }) => memoryBytes) },
        { name: texts('dashboard.process'), values: samples.map(({ processMemoryBytes }) => processMemoryBytes) },
      ],
    },
    {
      ...{ name: 'network', title: texts('dashboard.network'), times },
      format: (value) => formatRate(value, locale),
      series: [
        { name: texts('dashboard.received'), values: samples.map(({ receivedPerSecond }) => receivedPerSecond) },
        { name: texts('dashboard.sent'), values: samples.map(({ sentPerSecond }) => sentPerSecond) },
      ],
    },
    {
      ...{ name: 'connections', title: texts('dashboard.connections'), times },
      format: (value) => count(value, locale),
      series: [{ name: texts('dashboard.open'), values: samples.map(({ connections }) => connections) }],
    },
  ]
}

function percent(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value)
}

function count(value: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(value)
}
