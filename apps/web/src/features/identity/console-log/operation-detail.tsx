import type { OperationLogEntry } from '@godwit/contract'
import { formatTime } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import styles from './log.module.css'

/** The first moment of 2001, Unix milliseconds: smaller numbers count something else. */
const MOMENTS_FROM = 978_307_200_000

/** What an operation changed, field by field, and where it came from. */
export function OperationDetail({ entry }: { readonly entry: OperationLogEntry }) {
  const texts = useTexts()
  const { operation, before, after, door, userAgent, requestId, result } = entry
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <div className={styles['detail']}>
      {fields.length > 0 && (
        <table className={styles['changes']} translate="no">
          <thead>
            <tr>
              <th>{texts('log.field')}</th>
              <th>{texts('log.before')}</th>
              <th>{texts('log.after')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{shown(field, before?.[field])}</td>
                <td>{shown(field, after?.[field])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Facts
        facts={[
          ...(result === 'ok' ? [] : [{ label: texts('log.error'), value: result }]),
          { label: texts('log.code'), value: operation },
          { label: texts('log.door'), value: door },
          { label: texts('console-sessions.device'), value: userAgent },
          { label: texts('log.request'), value: requestId },
        ]}
      />
    </div>
  )
}

/** Fields that hold a moment, as the log names them. */
const MOMENT = /(?:_at|At|_until|Until|_from|From)$/

/** A moment is a time of the reader, as everywhere in the console. */
function shown(field: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '-'
  if (MOMENT.test(field) && typeof value === 'number' && value >= MOMENTS_FROM) return formatTime(value / 1000)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
