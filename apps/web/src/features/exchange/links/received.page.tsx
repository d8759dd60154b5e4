import type { ReceivedLink } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { LIMITS } from '@godwit/contract/limits'
import { ExternalLink, Users } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import { formatMinute } from '../../../lib/formats.ts'
import type { ListShape } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useListAddress } from '../../../lib/use-list-address.ts'
import { type Column, DataTable } from '../../../ui/data-table/index.ts'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { daysLeft } from './days-left.ts'
import { calledPerson } from './link-form.ts'
import { LinksPager } from './links-pager.tsx'
import { useReceivedLinks } from './links-query.ts'
import styles from './links.module.css'

const SHAPE: ListShape = {
  pageSizes: LIMITS.pageSizes,
  pageSize: LIMITS.linkPageSize,
  sort: { by: 'created', order: 'desc' },
  sortable: ['name', 'created', 'expires'],
  filters: ['q'],
}

export const ReceivedLinksPage = () => (useTextBundle('links') ? <ReceivedLinks /> : null)

/** Links that people of the site made for the reader, for a group of theirs, or for everybody who is signed in. */
function ReceivedLinks() {
  const texts = useTexts()
  const { clock } = useServices()
  const address = useListAddress(SHAPE)
  const { data, error, isPlaceholderData, refetch } = useReceivedLinks(address)
  const isFiltered = Object.keys(address.filters).length > 0
  const total = data?.total ?? 0
  return (
    <section className={styles['page']} aria-labelledby="received-title">
      <h1 className={styles['heading']} id="received-title">
        {texts('menu.receivedLinks')}
      </h1>
      <div className={styles['card']} data-testid="received">
        {(total > 0 || isFiltered) && (
          <FilterBar
            label={texts('links.filter')}
            filters={[{ kind: 'search', name: 'q', label: texts('links.received.search') }]}
            values={address.filters}
            onChange={address.filterBy}
          />
        )}
        <DataTable
          label={texts('menu.receivedLinks')}
          columns={columnsOf(texts, clock.now())}
          rows={data?.items}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ linkId }) => linkId}
          nameOf={({ title }) => title}
          empty={
            <StatePanel
              icon={<Users size={28} />}
              title={texts(isFiltered ? 'filter.none' : 'links.received.empty.title')}
              {...(isFiltered ? {} : { text: texts('links.received.empty.text') })}
            />
          }
          sort={address.sort}
          onSort={address.sortBy}
          selecting={undefined}
          rowActions={ROW_ACTIONS}
        />
        <LinksPager address={address} total={data?.total} isOutdated={isPlaceholderData} />
      </div>
    </section>
  )
}

const ROW_ACTIONS: ReadonlyArray<Action<ReceivedLink>> = [
  {
    name: 'open-received',
    label: 'links.received.open',
    group: 'general',
    icon: ExternalLink,
    when: ({ open }) => open,
    run: ({ linkId }) => void window.open(pageOf(linkId), '_blank', 'noopener'),
  },
]

function pageOf(linkId: string): string {
  return `/share/${linkId}`
}

function columnsOf(texts: Texts, now: number): ReadonlyArray<Column<ReceivedLink>> {
  return [
    {
      id: 'name',
      header: texts('links.column.name'),
      isSortable: true,
      narrow: 'title',
      cell: (link) => <Name link={link} />,
    },
    {
      id: 'owner',
      header: texts('links.received.owner'),
      width: '200px',
      cell: ({ owner }) => <span translate="no">{calledPerson(owner)}</span>,
    },
    {
      id: 'state',
      header: texts('links.received.state'),
      width: '120px',
      cell: ({ open }) => (
        <Tag tone={open ? 'good' : 'bad'}>{texts(open ? 'links.status.normal' : 'links.received.ended')}</Tag>
      ),
    },
    {
      id: 'created',
      header: texts('links.column.created'),
      isSortable: true,
      width: '140px',
      narrow: 'none',
      cell: ({ shareCreateTime }) => formatMinute(shareCreateTime),
    },
    {
      id: 'expires',
      header: texts('links.column.expires'),
      isSortable: true,
      width: '160px',
      cell: ({ shareExpireTime: time }) => {
        if (time === 0) return texts('links.expiry.never')
        const days = daysLeft(time, now)
        return (
          <span className={styles['expires']}>
            {formatMinute(time)}
            {days !== undefined && <Tag>{texts('links.days-left', { days })}</Tag>}
          </span>
        )
      },
    },
  ]
}

function Name({ link }: { readonly link: ReceivedLink }) {
  const texts = useTexts()
  const { title, count, description, open, openedAt, linkId, shareUrlType, forEveryone } = link
  const shown = count > 1 ? texts('links.names', { name: title, count: count - 1 }) : title
  const notes = [
    ...(shareUrlType === SHARE_URL_TYPE.upload ? [texts('links.received.upload')] : []),
    ...(forEveryone ? [texts('links.received.everyone')] : []),
    ...(description === '' ? [] : [description]),
  ]
  return (
    <span className={styles['received']}>
      {open ? (
        <a className={styles['name']} href={pageOf(linkId)} target="_blank" rel="noopener">
          <span translate="no">{shown}</span>
        </a>
      ) : (
        <span translate="no">{shown}</span>
      )}
      {open && openedAt === 0 && <Tag tone="good">{texts('links.received.new')}</Tag>}
      {notes.length > 0 && <small className={styles['note']}>{notes.join(' · ')}</small>}
    </span>
  )
}
