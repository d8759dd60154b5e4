import { ApiError } from '@godwit/contract/wire/api-error'
import { FileDown, FileUp } from 'lucide-react'
import { useState } from 'react'
import { readTable } from '../../../../lib/read-table.ts'
import { useServices } from '../../../../lib/services.tsx'
import { useTexts } from '../../../../lib/texts.tsx'
import { Button } from '../../../../ui/button.tsx'
import { FileButton } from '../../../../ui/file-button.tsx'
import { LeaveQuestion } from '../../../../ui/form/index.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { ProgressBar } from '../../../../ui/progress-bar.tsx'
import { StatePanel } from '../../../../ui/state-panel.tsx'
import { csvOf, saveText } from '../../../console-kit/csv.ts'
import { PageFrame } from '../../../console-kit/page-frame.tsx'
import { IMPORT_COLUMNS, importCounts, importProgress, importRowsOf, type ImportState } from './import-rows.ts'
import { ImportTable } from './import-table.tsx'
import styles from './import.module.css'
import { type UserImport, useImport } from './use-import.ts'

/** Accounts out of a file: looked at first, put right in place, then added; what failed goes back into a file. */
export function ImportPage() {
  const texts = useTexts()
  const work = useImport()
  const [shown, setShown] = useState<ImportState>()
  const { fault, choose } = useChoice(work.load)
  return (
    <PageFrame
      title={texts('users.import.title')}
      help={texts('users.import.help')}
      back={{ to: '/admin/users', label: texts('users.title') }}
      actions={<Actions onChoose={choose} isBusy={work.isBusy} hasRows={work.rows.length > 0} />}
    >
      <LeaveGuard work={work} />
      <div className={styles['card']}>
        {fault !== undefined && (
          <Notice kind="error">
            {fault.thrown instanceof ApiError ? texts.failure(fault.thrown) : texts('users.import.unreadable')}
          </Notice>
        )}
        {work.rows.length === 0 ? (
          <StatePanel
            icon={<FileUp size={28} />}
            title={texts('users.import.empty.title')}
            text={texts('users.import.empty.text')}
          />
        ) : (
          <>
            <Progress work={work} shown={shown} onShow={setShown} />
            <ImportTable key={shown ?? 'all'} rows={work.rows} shown={shown} isBusy={work.isBusy} onEdit={work.edit} />
          </>
        )}
      </div>
    </PageFrame>
  )
}

/** Asks before rows are lost, or nobody sees any more which of them failed. */
function LeaveGuard({ work: { isBusy, isUnfinished, rows } }: { readonly work: UserImport }) {
  const texts = useTexts()
  const count = rows.filter(({ state }) => state !== 'created').length
  return (
    <LeaveQuestion
      isNeeded={isUnfinished}
      title={texts('users.import.leave.title')}
      text={texts(isBusy ? 'users.import.leave.running' : 'users.import.leave.text', { count })}
    />
  )
}

/** Reads the file that somebody chose. */
function useChoice(load: UserImport['load']) {
  const [fault, setFault] = useState<{ readonly thrown?: unknown }>()
  const choose = async (file: File): Promise<void> => {
    try {
      const rows = importRowsOf(await readTable(file))
      setFault(rows === undefined ? {} : undefined)
      if (rows !== undefined) load(rows)
    } catch (thrown) {
      setFault({ thrown }) // Not a table at all, or one to be saved in another way first: the page says which.
    }
  }
  return { fault, choose: (file: File) => void choose(file) }
}

interface ActionsProps {
  readonly onChoose: (file: File) => void
  readonly isBusy: boolean
  readonly hasRows: boolean
}

function Actions({ onChoose, isBusy, hasRows }: ActionsProps) {
  const texts = useTexts()
  const template = (): void => {
    const head = IMPORT_COLUMNS.map((column) => texts(`users.${column}`))
    saveText('users.csv', csvOf([head, ['mia_lin', 'Change-me-2026', 'Mia Lin', 'mia@example.com', '13900000000']]))
  }
  return (
    <>
      <Button onClick={template}>
        <FileDown size={18} aria-hidden="true" />
        {texts('users.import.template')}
      </Button>
      <FileButton
        accept=".csv,.txt,.xlsx,.xls"
        testId="import-file"
        kind={hasRows ? 'outline' : 'solid'}
        disabled={isBusy}
        onChoose={onChoose}
      >
        {texts('users.import.choose')}
      </FileButton>
    </>
  )
}

interface ProgressProps {
  readonly work: UserImport
  readonly shown: ImportState | undefined
  readonly onShow: (state: ImportState | undefined) => void
}

/** Where the import stands, what can be done next, and which rows are shown. */
function Progress({ work, shown, onShow }: ProgressProps) {
  const texts = useTexts()
  const { messages } = useServices()
  const { rows, isBusy, task, run, stop } = work
  const counts = importCounts(rows)
  const saveFailed = (): void => {
    const failed = rows.filter(({ state }) => state === 'failed')
    const head = [...IMPORT_COLUMNS.map((column) => texts(`users.${column}`)), texts('console.bulk.reason')]
    const lines = failed.map(({ values, message = '' }) => [...IMPORT_COLUMNS.map((column) => values[column]), message])
    saveText('users-failed.csv', csvOf([head, ...lines]))
    messages.notify('success', texts('console.export.done', { count: failed.length }))
  }
  const states = [undefined, 'pending', 'fits', 'created', 'failed'] as const
  return (
    <div className={styles['progress']}>
      <ProgressBar
        label={texts('users.import.title')}
        value={importProgress(rows, task)}
        tone={isBusy ? 'active' : 'paused'}
      />
      <div className={styles['bar']}>
        <div className={styles['states']} role="group" aria-label={texts('users.import.show')}>
          {states.map((state) => (
            <Button key={state ?? 'all'} kind="quiet" aria-pressed={shown === state} onClick={() => onShow(state)}>
              {texts(`users.import.state.${state ?? 'all'}`, {
                count: state === undefined ? rows.length : counts[state],
              })}
            </Button>
          ))}
        </div>
        {counts.failed > 0 && !isBusy && <Button onClick={saveFailed}>{texts('users.import.save-failed')}</Button>}
        {isBusy ? (
          <Button onClick={stop}>{texts('users.import.stop')}</Button>
        ) : (
          <>
            {counts.pending + counts.failed > 0 && (
              <Button onClick={() => run('check')}>{texts('users.import.check')}</Button>
            )}
            {counts.pending + counts.fits > 0 && (
              <Button kind="solid" onClick={() => run('add')}>
                {texts('users.import.run', { count: counts.pending + counts.fits })}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
