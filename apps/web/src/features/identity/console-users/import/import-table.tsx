import { LIMITS } from '@godwit/contract/limits'
import { useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { cappedPage } from '../../../../ui/page-items.ts'
import { Tag } from '../../../../ui/tag.tsx'
import { IMPORT_COLUMNS, type ImportColumn, type ImportRow, type ImportState } from './import-rows.ts'
import styles from './import.module.css'

export interface ImportTableProps {
  readonly rows: readonly ImportRow[]
  /** Only rows that stand so; undefined: all. */
  readonly shown: ImportState | undefined
  readonly isBusy: boolean
  readonly onEdit: (index: number, column: ImportColumn, value: string) => void
}

interface PageView {
  readonly page: number
  readonly pageSize: number
}

/** The rows of a file, to be put right in place. */
export function ImportTable({ rows, shown, isBusy, onEdit }: ImportTableProps) {
  const texts = useTexts()
  const [view, setView] = useState<PageView>({ page: 1, pageSize: LIMITS.pageSizes[1] })
  // Whoever types into a row must not lose it with the first letter, which makes it one that nobody checked.
  const [typedInto, setTypedInto] = useState<ReadonlySet<number>>(new Set())
  const isShown = (index: number): boolean =>
    shown === undefined || rows[index]?.state === shown || typedInto.has(index)
  const indexes = [...rows.keys()].filter(isShown)
  const edit: ImportTableProps['onEdit'] = (index, column, value) => {
    setTypedInto((before) => new Set(before).add(index))
    onEdit(index, column, value)
  }
  const page = cappedPage(view.page, indexes.length, view.pageSize)
  const visible = indexes.slice((page - 1) * view.pageSize, page * view.pageSize)
  return (
    <>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label={texts('users.import.rows')}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{texts('users.import.line')}</th>
              <th scope="col">{texts('log.result')}</th>
              {IMPORT_COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {texts(`users.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((index) => {
              const row = rows[index]
              return row && <Row key={row.line} row={row} index={index} isBusy={isBusy} onEdit={edit} />
            })}
          </tbody>
        </table>
      </div>
      {indexes.length > view.pageSize && (
        <Pagination
          label={texts('users.import.rows')}
          page={page}
          pageSize={view.pageSize}
          total={indexes.length}
          onChange={(next, pageSize) => setView({ page: next, pageSize })}
        />
      )}
    </>
  )
}

interface RowProps extends Pick<ImportTableProps, 'isBusy' | 'onEdit'> {
  readonly row: ImportRow
  readonly index: number
}

function Row({ row: { line, values, state, field, message }, index, isBusy, onEdit }: RowProps) {
  const texts = useTexts()
  const isFixed = isBusy || state === 'created'
  return (
    <tr>
      <th scope="row">{line}</th>
      <td className={styles['result']}>
        <Tag tone={state === 'failed' ? 'bad' : state === 'pending' ? 'plain' : 'good'}>
          {texts(`users.import.result.${state}`)}
        </Tag>
        {message !== undefined && <span>{message}</span>}
      </td>
      {IMPORT_COLUMNS.map((column) => (
        <td key={column}>
          <input
            aria-label={texts('users.import.cell', { column: texts(`users.${column}`), line })}
            aria-invalid={field === column ? true : undefined}
            value={values[column]}
            readOnly={isFixed}
            autoComplete="off"
            spellCheck={false}
            translate="no"
            onChange={({ target }) => onEdit(index, column, target.value)}
          />
        </td>
      ))}
    </tr>
  )
}
