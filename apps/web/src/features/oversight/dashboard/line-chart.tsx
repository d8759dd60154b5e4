import { useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { csvOf, saveText } from '../../console-kit/csv.ts'
import { ChartTable } from './chart-table.tsx'
import { type LineChartProps, shown } from './chart-values.ts'
import styles from './line-chart.module.css'
import { Plot } from './plot.tsx'

/** Values over the last hour: lines, the value under pointer or arrow keys, the same as a table, and as CSV. */
export function LineChart(props: LineChartProps) {
  const { title, series, format } = props
  const texts = useTexts()
  const [isTable, setTable] = useState(false)
  const latest = series.map(({ values }) => values.at(-1) ?? null)
  return (
    <SectionCard
      title={title}
      action={
        <div className={styles['actions']}>
          <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {texts('chart.table')}
          </Button>
          <Button kind="quiet" onClick={() => saveChart(props, texts('chart.time'))}>
            {texts('console.export')}
          </Button>
        </div>
      }
    >
      <ul className={styles['legend']}>
        {series.map(({ name }, at) => (
          <li key={name}>
            <span className={styles[`mark${at}`]} aria-hidden="true" />
            {name}
            <strong>{shown(latest[at], format)}</strong>
          </li>
        ))}
      </ul>
      {isTable ? <ChartTable {...props} /> : <Plot {...props} />}
    </SectionCard>
  )
}

function saveChart({ name, times, series }: LineChartProps, timeHead: string): void {
  const head = [timeHead, ...series.map((line) => line.name)]
  const rows = times.map((time, at) => [
    new Date(time).toISOString(),
    ...series.map(({ values }) => String(values[at] ?? '')),
  ])
  saveText(`${name}.csv`, csvOf([head, ...rows]))
}
