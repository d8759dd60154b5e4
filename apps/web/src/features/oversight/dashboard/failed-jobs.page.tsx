import type { FailedJob } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type PortalKey, type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { JOBS, jobsSource } from './operations-source.ts'
import { useAgain } from './use-again.ts'

const SHAPE = consoleShape({ filters: [] })

/** Jobs that ended without having done their work. */
export function FailedJobsPage() {
  return useTextBundle('dashboard') ? <FailedJobs /> : null
}

function FailedJobs() {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api } = useServices()
  const refresh = useRefresh(JOBS)
  const [asked, setAsked] = useState<FailedJob>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const again = useAgain({
    name: 'rerun-jobs',
    texts: 'failed-jobs',
    send: async (jobIds) => (await api.call(routes.dashboard.rerunJobs, { body: { jobIds: [...jobIds] } })).rerun,
  })
  return (
    <>
      <ListPage
        name="failed-jobs"
        title={texts('failed-jobs.title')}
        help={texts('failed-jobs.help')}
        actions={
          <Button onClick={() => void navigate({ to: '/admin/jobs/events' })}>{texts('parked-events.title')}</Button>
        }
        source={jobsSource}
        shape={SHAPE}
        filters={[]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={(job) => `${kindText(texts, job)} ${formatTime(job.failedAt / 1000)}`}
        rowActions={[
          { name: 'rerun-job', label: 'failed-jobs.again', group: 'general', icon: RotateCcw, run: setAsked },
        ]}
        bulk={[again]}
        isByIds
        empty={{
          icon: <CircleCheck size={28} />,
          title: texts('failed-jobs.empty.title'),
          text: texts('failed-jobs.empty.text'),
        }}
      />
      {asked !== undefined && (
        <BulkDialog
          action={again}
          choose={() => ({ ids: [asked.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

const KINDS: Readonly<Record<string, PortalKey>> = {
  copy: 'job-kind.copy',
  move: 'job-kind.move',
  remove: 'job-kind.remove',
  restore: 'job-kind.restore',
  purge: 'job-kind.purge',
  pack: 'job-kind.pack',
  unpack: 'job-kind.unpack',
  'mail.send': 'job-kind.mail',
  'mail.bulk': 'job-kind.mail',
  'mail.own': 'job-kind.mail',
  'notices.announce': 'job-kind.notice',
  'backup.write': 'job-kind.backup',
  'backup.drill': 'job-kind.drill',
  'database.copy': 'job-kind.database',
  'directory.sync': 'job-kind.sync',
  'space.move': 'job-kind.space',
  'account-files': 'job-kind.account',
}

function kindText(texts: Texts, { kind }: Pick<FailedJob, 'kind'>): string {
  const known = KINDS[kind]
  return known === undefined ? kind : texts(known)
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<FailedJob>> {
  const failedAt = (job: FailedJob): string => formatTime(job.failedAt / 1000)
  const reason = ({ error, message }: FailedJob): string => (error === '' ? '-' : message || error)
  return [
    {
      id: 'kind',
      header: texts('failed-jobs.kind'),
      narrow: 'title',
      width: 'minmax(140px, 1fr)',
      text: (job) => kindText(texts, job),
      cell: (job) => kindText(texts, job),
    },
    {
      id: 'owner',
      header: texts('failed-jobs.owner'),
      width: 'minmax(120px, 1fr)',
      text: ({ owner }) => owner,
      cell: ({ owner }) => (owner === '' ? texts('failed-jobs.system') : <span translate="no">{owner}</span>),
    },
    {
      id: 'reason',
      header: texts('failed-jobs.reason'),
      width: 'minmax(220px, 3fr)',
      text: reason,
      cell: (job) => <span title={reason(job)}>{reason(job)}</span>,
    },
    {
      id: 'attempts',
      header: texts('failed-jobs.attempts'),
      isNumeric: true,
      width: '90px',
      text: ({ attempts }) => String(attempts),
      cell: ({ attempts }) => attempts,
    },
    { id: 'failed', header: texts('failed-jobs.at'), width: TIME_WIDTH, text: failedAt, cell: failedAt },
  ]
}
