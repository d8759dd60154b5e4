import type { Notice } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { BellOff, ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { cappedPage } from '../../../ui/page-items.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { ago } from './ago.ts'
import styles from './notices.module.css'
import { markRead, type NoticePage, useNotices } from './notices-query.ts'

/** Notices, newest first, a page at a time; the address names the page. */
export function NoticesPage() {
  const texts = useTexts()
  const { page, pageSize, show } = usePages()
  const { data, error, isPlaceholderData, refetch } = useNotices(page, pageSize)
  const total = data?.total
  useEffect(() => {
    // The page in the address may be one that is not there any more.
    if (total === undefined || isPlaceholderData) return
    const capped = cappedPage(page, total, pageSize)
    if (capped !== page) show(capped, pageSize)
  }, [total, isPlaceholderData, page, pageSize, show])
  return (
    <section className={styles['page']} aria-labelledby="notices-title">
      <h1 className={styles['heading']} id="notices-title">
        {texts('notices.title')}
      </h1>
      <div className={styles['card']} aria-busy={data === undefined && error === null}>
        {data === undefined ? (
          error !== null && <Fault error={error} onRetry={() => void refetch()} />
        ) : data.total === 0 ? (
          <StatePanel
            icon={<BellOff size={28} />}
            title={texts('notices.empty.title')}
            text={texts('notices.empty.text')}
          />
        ) : (
          <>
            <List page={data} />
            <Pagination
              label={texts('notices.pages')}
              page={cappedPage(page, data.total, pageSize)}
              pageSize={pageSize}
              total={data.total}
              onChange={show}
            />
          </>
        )}
      </div>
    </section>
  )
}

function Fault({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const texts = useTexts()
  return (
    <StatePanel
      kind="error"
      icon={<TriangleAlert size={28} />}
      title={texts('notices.error.title')}
      text={texts.failure(error)}
      reference={texts.reference(error)}
      actions={
        <Button kind="solid" onClick={onRetry}>
          {texts('common.retry')}
        </Button>
      }
    />
  )
}

function List({ page: { notices } }: { readonly page: NoticePage }) {
  const texts = useTexts()
  const read = useMarkRead()
  const hasUnread = notices.some(({ isShowed }) => isShowed === 0)
  return (
    <>
      <div className={styles['bar']}>
        <Button disabled={!hasUnread} onClick={() => read(notices)}>
          {texts('notices.all-read')}
        </Button>
      </div>
      <ul className={styles['list']} data-testid="notices">
        {notices.map((notice) => (
          <Row key={notice.id} notice={notice} onRead={() => read([notice])} />
        ))}
      </ul>
    </>
  )
}

function Row({ notice, onRead }: { readonly notice: Notice; readonly onRead: () => void }) {
  const texts = useTexts()
  const { clock } = useServices()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isUnread = notice.isShowed === 0
  const seconds = Math.floor(notice.create_time / 1000)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <li className={classNames(styles['notice'], isUnread && styles['unread'])}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen)
          if (!isOpen && isUnread) onRead()
        }}
      >
        <Chevron size={18} aria-hidden="true" />
        <span className={styles['title']}>{notice.title}</span>
        {isUnread && (
          <span className={styles['dot']} data-testid="unread">
            <Hidden>{texts('notices.unread')}</Hidden>
          </span>
        )}
        <time dateTime={new Date(notice.create_time).toISOString()} title={formatTimeExactly(seconds, texts.locale)}>
          {ageText(notice.create_time, clock.now(), texts)}
        </time>
      </button>
      <div className={styles['content']} id={id} hidden={!isOpen}>
        <p>{notice.content}</p>
        <p className={styles['exact']}>{formatTime(seconds)}</p>
      </div>
    </li>
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
  return (notices: readonly Notice[]): void => {
    markRead(api, client, notices).catch((error: unknown) => messages.fail(error, texts))
  }
}

function usePages() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const size = LIMITS.pageSizes.find((each) => String(each) === search['size']) ?? LIMITS.noticePageSize
  const [show] = useState(
    () => (page: number, pageSize: number) =>
      void navigate({
        to: '/notification',
        search: {
          ...(page === 1 ? {} : { page: String(page) }),
          ...(pageSize === LIMITS.noticePageSize ? {} : { size: String(pageSize) }),
        },
      }),
  )
  return { page: Math.max(1, Math.trunc(Number(search['page'])) || 1), pageSize: size, show }
}
