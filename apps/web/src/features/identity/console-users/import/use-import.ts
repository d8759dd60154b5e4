import { routes } from '@godwit/contract/table'
import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../../lib/services.tsx'
import { useTexts } from '../../../../lib/texts.tsx'
import { useRefresh } from '../../../console-kit/list-source.ts'
import { useIsShown } from '../../../../lib/use-is-shown.ts'
import { USERS } from '../users-source.ts'
import { type ImportColumn, type ImportRow, type ImportTask, wireRow, withAnswers } from './import-rows.ts'

/** Rows in one call: few enough that it can be stopped between two of them. */
const ROWS_PER_CALL = 20

export interface UserImport {
  readonly rows: readonly ImportRow[]
  readonly isBusy: boolean
  /** Whether leaving loses something: rows that are being sent, or that were put right and are not in yet. */
  readonly isUnfinished: boolean
  /** The latest one, running or over. */
  readonly task: ImportTask
  readonly load: (rows: readonly ImportRow[]) => void
  readonly edit: (index: number, column: ImportColumn, value: string) => void
  /** Sends what is not in yet, some rows at a time. */
  readonly run: (task: ImportTask) => void
  readonly stop: () => void
}

/** Rows of a file, checked and added call by call; what failed stays, to be put right and sent again. */
export function useImport(): UserImport {
  const { api, messages } = useServices()
  const texts = useTexts()
  const refresh = useRefresh(USERS)
  const [rows, setRows] = useState<readonly ImportRow[]>([])
  const [isBusy, setBusy] = useState(false)
  const [isCorrected, setCorrected] = useState(false)
  const isShown = useIsShown()
  const [task, setTask] = useState<ImportTask>('check')
  const latest = useRef(rows)
  const isWanted = useRef(false)
  useEffect(() => {
    return () => {
      isWanted.current = false
    }
  }, [])
  const show = (next: readonly ImportRow[]): void => {
    latest.current = next
    setRows(next)
  }
  /** Of a page that was left: nobody sees the rows any more. */
  const reportFailed = (count: number): void => {
    if (count > 0) messages.notify('error', texts('users.import.left', { count }))
  }
  const send = async (wanted: ImportTask): Promise<void> => {
    const due = [...latest.current.keys()].filter((index) => isDue(latest.current[index], wanted))
    for (let at = 0; at < due.length && isWanted.current; at += ROWS_PER_CALL) {
      const sent = due.slice(at, at + ROWS_PER_CALL)
      const wire = sent.flatMap((index) => latest.current[index] ?? []).map(wireRow)
      const answer = await api.call(routes.adminUsers.import, { body: { rows: wire, dryRun: wanted === 'check' } })
      show(withAnswers(latest.current, sent, answer.rows))
      if (!isShown()) reportFailed(answer.rows.filter(({ result }) => result === 'failed').length)
    }
  }
  const run = async (wanted: ImportTask): Promise<void> => {
    isWanted.current = true
    setBusy(true)
    setTask(wanted)
    try {
      await send(wanted)
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setBusy(false)
      if (wanted === 'add') void refresh()
    }
  }
  return {
    rows,
    isBusy,
    isUnfinished: isBusy || (isCorrected && rows.some(({ state }) => state !== 'created')),
    task,
    load(next) {
      setCorrected(false)
      show(next)
    },
    edit(index, column, value) {
      setCorrected(true)
      show(
        latest.current.map((row, at) =>
          at === index ? { line: row.line, values: { ...row.values, [column]: value }, state: 'pending' } : row,
        ),
      )
    },
    run: (wanted) => void run(wanted),
    stop() {
      isWanted.current = false
    },
  }
}

/**
 * A check looks at what nobody looked at and at what failed, whose cause may be gone since; adding sends everything that is not in yet.
 */
function isDue(row: ImportRow | undefined, task: ImportTask): boolean {
  return row !== undefined && (row.state === 'pending' || row.state === (task === 'check' ? 'failed' : 'fits'))
}
