import { useTexts } from '../../../lib/texts.tsx'
import { clock, type LineChartProps, shown } from './chart-values.ts'
import styles from './line-chart.module.css'

/** What the lines show, in numbers; the newest first. */
export function ChartTable({ title, times, series, format }: Omit<LineChartProps, 'name'>) {
  const texts = useTexts()
  const rows = times.map((time, at) => ({ time, at })).toReversed()
  return (
    <div className={styles['table']} role="region" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts('chart.time')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, at }) => (
            <tr key={time}>
              <th scope="row">{clock(time)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{shown(values[at], format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
