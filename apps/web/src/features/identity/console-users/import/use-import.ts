import { routes } from '@godwit/contract/table'
import { useRef, useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { useTexts } from '../../../../lib/texts.tsx'
import { useRefresh } from '../../../console-kit/list-source.ts'
import { USERS } from '../users-source.ts'
import { type ImportColumn, type ImportRow, wireRow, withAnswers } from './import-rows.ts'

/** Rows in one call: few enough that it can be stopped between two of them. */
const ROWS_PER_CALL = 20

export interface UserImport {
  readonly rows: readonly ImportRow[]
  readonly isBusy: boolean
  readonly load: (rows: readonly ImportRow[]) => void
  readonly edit: (index: number, column: ImportColumn, value: string) => void
  /** Sends what is not in yet, some rows at a time. @param dryRun checks and writes nothing */
  readonly run: (dryRun: boolean) => void
  readonly stop: () => void
}

/** Rows of a file, checked and added call by call; what failed stays, to be put right and sent again. */
export function useImport(): UserImport {
  const { api, messages } = useServices()
  const texts = useTexts()
  const refresh = useRefresh(USERS)
  const [rows, setRows] = useState<readonly ImportRow[]>([])
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(rows)
  const isWanted = useRef(false)
  const show = (next: readonly ImportRow[]): void => {
    latest.current = next
    setRows(next)
  }
  const send = async (dryRun: boolean): Promise<void> => {
    const due = [...latest.current.keys()].filter((index) => isDue(latest.current[index], dryRun))
    for (let at = 0; at < due.length && isWanted.current; at += ROWS_PER_CALL) {
      const sent = due.slice(at, at + ROWS_PER_CALL)
      const wire = sent.flatMap((index) => latest.current[index] ?? []).map(wireRow)
      const answer = await api.call(routes.adminUsers.import, { body: { rows: wire, dryRun } })
      show(withAnswers(latest.current, sent, answer.rows))
    }
  }
  const run = async (dryRun: boolean): Promise<void> => {
    isWanted.current = true
    setBusy(true)
    try {
      await send(dryRun)
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
      if (!dryRun) void refresh()
    }
  }
  return {
    rows,
    isBusy,
    load: show,
    edit(index, column, value) {
      show(
        latest.current.map((row, at) =>
          at === index ? { line: row.line, values: { ...row.values, [column]: value }, state: 'pending' } : row,
        ),
      )
    },
    run: (dryRun) => void run(dryRun),
    stop() {
      isWanted.current = false
    },
  }
}

/** A check looks at what nobody looked at; adding sends everything that is not in yet. */
function isDue(row: ImportRow | undefined, dryRun: boolean): boolean {
  return row !== undefined && (dryRun ? row.state === 'pending' : row.state === 'pending' || row.state === 'fits')
}
