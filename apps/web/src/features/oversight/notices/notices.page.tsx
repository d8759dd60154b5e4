import type { Notice } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff, MailOpen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Action, bindActions } from '../../../lib/actions.tsx'
import { formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import type { ListShape } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { useListAddress } from '../../../lib/use-list-address.ts'
import { usePageThatIsThere } from '../../../lib/use-page-that-is-there.ts'
import {
  ALL_SELECTED,
  DataTable,
  type Column,
  NOTHING_SELECTED,
  selectedRowCount,
  type TableSelection,
} from '../../../ui/data-table/index.ts'
import { cappedPage, lastPage } from '../../../ui/page-items.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { ago } from './ago.ts'
import { markSelectedRead } from './mark-selected.ts'
import styles from './notices.module.css'
import { markRead, useNotices, useUnread } from './notices-query.ts'

const SHAPE: ListShape = { pageSizes: LIMITS.pageSizes, pageSize: LIMITS.noticePageSize }

/** Notices, newest first, a page at a time; the address names the page. */
export function NoticesPage() {
  const texts = useTexts()
  const { clock } = useServices()
  const address = useListAddress(SHAPE)
  const { page, pageSize, showPage } = address
  const { data, error, isPlaceholderData, refetch } = useNotices(page, pageSize)
  const [selection, setSelection] = useState<TableSelection>(NOTHING_SELECTED)
  const { readOne, readSelected } = useMarkRead()
  const unread = useUnread()
  const total = data?.total ?? 0
  usePageThatIsThere(address, data === undefined || isPlaceholderData ? undefined : lastPage(total, pageSize))
  const actions = bindActions(NOTICE_ACTIONS, {
    unread,
    selected: selectedRowCount(selection, total),
    readAll: () => readSelected(ALL_SELECTED),
    readSelected() {
      readSelected(selection)
      setSelection(NOTHING_SELECTED)
    },
  })
  return (
    <section className={styles['page']} aria-labelledby="notices-title">
      <h1 className={styles['heading']} id="notices-title">
        {texts('notices.title')}
      </h1>
      <div className={styles['card']} data-testid="notices">
        <DataTable
          label={texts('notices.title')}
          columns={columnsOf(texts, clock.now())}
          rows={data?.notices}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ id }) => id}
          nameOf={({ title }) => title}
          empty={
            <StatePanel
              icon={<BellOff size={28} />}
              title={texts('notices.empty.title')}
              text={texts('notices.empty.text')}
            />
          }
          selecting={{ selection, onSelect: setSelection, total, actions }}
          isUnread={({ isShowed }) => isShowed === 0}
          detail={detailOf}
          onExpand={readOne}
        />
        {total > 0 && (
          <div className={styles['pages']}>
            <Pagination
              label={texts('notices.pages')}
              page={cappedPage(page, total, pageSize)}
              pageSize={pageSize}
              total={total}
              onChange={showPage}
            />
          </div>
        )}
      </div>
    </section>
  )
}

interface NoticesContext {
  /** Of all pages. */
  readonly unread: number
  readonly selected: number
  readonly readAll: () => void
  readonly readSelected: () => void
}

const NOTICE_ACTIONS: ReadonlyArray<Action<NoticesContext>> = [
  {
    name: 'read-all-notices',
    label: 'notices.all-read',
    group: 'general',
    icon: MailOpen,
    when: ({ unread, selected }) => selected === 0 && unread > 0,
    run: ({ readAll }) => readAll(),
  },
  {
    name: 'read-notices',
    label: 'notices.selected-read',
    group: 'general',
    icon: MailOpen,
    when: ({ selected }) => selected > 0,
    run: ({ readSelected }) => readSelected(),
  },
]

function columnsOf(texts: Texts, now: number): ReadonlyArray<Column<Notice>> {
  return [
    {
      id: 'title',
      header: texts('notices.column.title'),
      narrow: 'title',
      cell: ({ title }) => <span translate="no">{title}</span>,
    },
    {
      id: 'time',
      header: texts('notices.column.time'),
      width: '120px',
      isNumeric: true,
      cell: ({ create_time: at }) => (
        <time dateTime={new Date(at).toISOString()} title={formatTimeExactly(Math.floor(at / 1000), texts.locale)}>
          {ageText(at, now, texts)}
        </time>
      ),
    },
  ]
}

function detailOf(notice: Notice) {
  return <Detail notice={notice} />
}

function Detail({ notice: { content, create_time: at, isWritten, page } }: { readonly notice: Notice }) {
  const texts = useTexts()
  return (
    <div className={styles['content']}>
      <p translate="no">{isWritten ? linked(content) : content}</p>
      {page !== '' && <Link to={page}>{texts('notices.open.recycle')}</Link>}
      <p className={styles['exact']}>{formatTime(Math.floor(at / 1000))}</p>
    </div>
  )
}

/** Addresses in what an administrator wrote become links; what strangers put into other notices never does. */
function linked(content: string): readonly ReactNode[] {
  return content.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]，。；：！？）])/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <a key={at} href={part} target="_blank" rel="noopener noreferrer">
        {part}
      </a>
    ),
  )
}

function ageText(at: number, now: number, texts: Texts): string {
  const age = ago(at, now)
  switch (age.kind) {
    case 'now':
      return texts('notices.ago.now')
    case 'minutes':
    case 'hours':
      return texts(`notices.ago.${age.kind}`, { count: age.count })
    case 'date':
      return age.text
  }
}

function useMarkRead() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const fail = (error: unknown): void => messages.fail(error, texts)
  return {
    readOne: (notice: Notice) => void markRead(api, client, [notice]).catch(fail),
    readSelected: (selection: TableSelection) => void markSelectedRead(api, client, selection).catch(fail),
  }
}
