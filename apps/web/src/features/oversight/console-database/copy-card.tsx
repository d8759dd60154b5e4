import type { CopiedTableView, DatabaseCopyView, SwitchObstacle } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/index.ts'
import { FormDialog } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import styles from './copy-card.module.css'
import { DATABASE_KEY } from './database-key.ts'

export interface CopyCardProps {
  readonly copy: DatabaseCopyView
  readonly obstacle: SwitchObstacle
}

/** How far the copy is, table by table, whether it is equal, and the switch to it. */
export function CopyCard({ copy, obstacle }: CopyCardProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(DATABASE_KEY)
  const [isAsking, setIsAsking] = useState(false)
  const { target, state, tables } = copy
  const cancel = async (): Promise<void> => {
    await api.call(routes.database.cancel, {})
    await refresh()
  }
  const action =
    state === 'running' ? (
      <Button onClick={() => void cancel().catch((error: unknown) => messages.fail(error, texts))}>
        {texts('database.copy.cancel')}
      </Button>
    ) : (
      <Button kind="solid" disabled={obstacle !== ''} onClick={() => setIsAsking(true)}>
        {texts('database.switch')}
      </Button>
    )
  return (
    <SectionCard
      title={texts('database.copy.title')}
      lead={texts('database.copy.lead', { place: `${target.address}:${target.port}/${target.name}` })}
      action={action}
    >
      <Verdict copy={copy} obstacle={obstacle} />
      {tables.length > 0 && (
        // Without anything to press inside, it is scrolled by keyboard only when it takes the focus itself.
        <div className={styles['tables']} role="region" aria-label={texts('database.tables')} tabIndex={0}>
          <DataTable
            empty={null}
            label={texts('database.tables')}
            columns={columnsOf(texts)}
            rows={inOrder(tables)}
            idOf={({ table }) => table}
            nameOf={({ table }) => table}
          />
        </div>
      )}
      {isAsking && <SwitchDialog onClose={() => setIsAsking(false)} />}
    </SectionCard>
  )
}

function Verdict({ copy: { state, reason, tables }, obstacle }: CopyCardProps) {
  const texts = useTexts()
  const total = tables.reduce((sum, table) => sum + table.total, 0)
  const copied = tables.reduce((sum, table) => sum + table.copied, 0)
  switch (state) {
    case 'running':
      return (
        <div className={styles['progress']}>
          <p>
            {texts('database.copy.progress', {
              copied: copied.toLocaleString(texts.locale),
              total: total.toLocaleString(texts.locale),
            })}
          </p>
          <ProgressBar label={texts('database.copy.title')} value={total === 0 ? 0 : copied / total} />
        </div>
      )
    case 'equal':
      return obstacle === '' ? (
        <Notice kind="success">{texts('database.copy.equal')}</Notice>
      ) : (
        <Notice kind="warning">
          {texts(obstacle === 'no-restart' ? 'database.obstacle.no-restart' : 'database.obstacle.not-paused')}
        </Notice>
      )
    case 'different':
      return <Notice kind="error">{texts('database.copy.different')}</Notice>
    case 'failed':
      return <Notice kind="error">{texts('database.copy.failed', { reason })}</Notice>
    case 'canceled':
      return <Notice kind="info">{texts('database.copy.canceled')}</Notice>
  }
}

function SwitchDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(DATABASE_KEY)
  return (
    <FormDialog
      title={texts('database.switch.title')}
      text={texts('database.switch.text')}
      submitLabel={texts('database.switch')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.database.switch, { body: { confirm: 'switch' } })
        messages.notify('info', texts('database.switching'))
        void refresh()
      }}
    />
  )
}

/** What is wrong or not done first, then the largest. */
function inOrder(tables: readonly CopiedTableView[]): CopiedTableView[] {
  const rank = ({ equal, copied, total }: CopiedTableView) => (equal === false ? 0 : copied < total ? 1 : 2)
  return tables.toSorted((a, b) => rank(a) - rank(b) || b.total - a.total || (a.table < b.table ? -1 : 1))
}

const HASH_SHOWN = 12

function columnsOf(texts: Texts): ReadonlyArray<Column<CopiedTableView>> {
  return [
    {
      id: 'table',
      header: texts('database.table'),
      narrow: 'title',
      width: 'minmax(140px, 2fr)',
      cell: ({ table }) => <span translate="no">{table}</span>,
    },
    {
      id: 'rows',
      header: texts('database.rows'),
      isNumeric: true,
      width: '150px',
      cell: ({ copied, total }) =>
        copied === total
          ? total.toLocaleString(texts.locale)
          : `${copied.toLocaleString(texts.locale)} / ${total.toLocaleString(texts.locale)}`,
    },
    {
      id: 'hash',
      header: texts('database.hash'),
      width: '150px',
      cell: ({ sha256 }) => (
        <code translate="no" title={sha256}>
          {sha256.slice(0, HASH_SHOWN) || '-'}
        </code>
      ),
    },
    {
      id: 'equal',
      header: texts('database.compared'),
      width: '120px',
      cell: ({ equal }) => (
        <Tag tone={equal === null ? 'plain' : equal ? 'good' : 'bad'}>
          {texts(
            equal === null
              ? 'database.compared.open'
              : equal
                ? 'database.compared.equal'
                : 'database.compared.different',
          )}
        </Tag>
      ),
    },
  ]
}
