import type { LinkRecord } from '@godwit/contract'
import { LINK_STATUS, SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { LIMITS } from '@godwit/contract/limits'
import { Link2Off, LockKeyhole } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import type { ListShape } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useListAddress } from '../../../lib/use-list-address.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { DataTable } from '../../../ui/data-table/index.ts'
import { type Filter, FilterBar } from '../../../ui/filter-bar.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { type LinkTarget, useFilesServices } from '../../content/files/index.ts'
import { linkRowActions } from './link-actions.ts'
import { firstName, linkColumns } from './link-columns.tsx'
import { LinkDetail } from './link-detail.drawer.tsx'
import { LinkDialog } from './link.dialog.tsx'
import { LinksPager } from './links-pager.tsx'
import { type LinkList, useLinks } from './links-query.ts'
import styles from './links.module.css'
import { useLinkInAddress } from './use-link-in-address.ts'
import { useLinkCommands } from './use-link-commands.ts'
import { useLinkSelection } from './use-link-selection.ts'

const SHAPE: ListShape = {
  pageSizes: LIMITS.pageSizes,
  pageSize: LIMITS.linkPageSize,
  sort: { by: 'created', order: 'desc' },
  sortable: ['name', 'created', 'expires', 'status'],
  filters: ['q', 'status'],
}

/** Comes by itself: few links are encrypted. */
export const SealedLinkPage = lazyPart(
  lazyModule(() => import('./sealed-link.page.tsx')),
  (module) => module.SealedLinkPage,
)

export const ShareLinksPage = () => <WithTexts page={<LinksPage kind="download" />} />
export const InviteLinksPage = () => <WithTexts page={<LinksPage kind="upload" />} />

function WithTexts({ page }: { readonly page: ReactNode }) {
  return useTextBundle('links') ? page : null
}

type Open =
  | { readonly kind: 'detail' | 'edit'; readonly record: LinkRecord }
  | { readonly kind: 'seal' }
  | { readonly kind: 'remove'; readonly ids: readonly string[]; readonly name: string }
  | undefined

/** One's own links of one kind, a page at a time. */
function LinksPage({ kind }: { readonly kind: 'download' | 'upload' }) {
  const texts = useTexts()
  const { clock } = useServices()
  const { place } = useFilesServices()
  const address = useListAddress(SHAPE)
  const { page, pageSize, sort, sortBy, filters, filterBy } = address
  const list: LinkList = { shareUrlType: SHARE_URL_TYPE[kind], spaceId: place.spaceId, sort, filters }
  const { data, error, isPlaceholderData, refetch } = useLinks(list, page, pageSize)
  const [open, show] = useState<Open>()
  const commands = useLinkCommands()
  useLinkInAddress(useCallback((record) => show({ kind: 'detail', record }), []))
  const total = data?.total ?? 0
  const rows = data?.sharelinkinfo
  const title = texts(kind === 'download' ? 'menu.shareLinks' : 'menu.inviteLinks')
  const { selecting, clear } = useLinkSelection({
    ...{ list, commands, total, shown: rows ?? [] },
    onRemove: (ids) => show({ kind: 'remove', ids, name: '' }),
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <section className={styles['page']} aria-labelledby="links-title">
      <div className={styles['top']}>
        <h1 className={styles['heading']} id="links-title">
          {title}
        </h1>
        <Button onClick={() => show({ kind: 'seal' })}>
          <LockKeyhole size={16} aria-hidden="true" />
          {texts('links.sealed.new')}
        </Button>
      </div>
      <div className={styles['card']} data-testid="links">
        {(total > 0 || isFiltered) && (
          <FilterBar label={texts('links.filter')} filters={filtersOf(texts)} values={filters} onChange={filterBy} />
        )}
        <DataTable
          label={title}
          columns={linkColumns({ kind, texts, now: clock.now(), onOpen: (record) => show({ kind: 'detail', record }) })}
          rows={rows}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ linkId }) => linkId}
          nameOf={(record) => firstName(record, texts)}
          empty={
            <StatePanel
              icon={<Link2Off size={28} />}
              title={isFiltered ? texts('filter.none') : texts(`links.empty.${kind}.title`)}
              {...(isFiltered ? {} : { text: texts(`links.empty.${kind}.text`) })}
            />
          }
          sort={sort}
          onSort={sortBy}
          selecting={selecting}
          rowActions={linkRowActions({
            copy: commands.copy,
            edit: (record) => show({ kind: 'edit', record }),
            extend: ({ linkId }) => commands.extend([linkId]),
            disable: ({ linkId }) => commands.disable([linkId]),
            enable: ({ linkId }) => commands.enable([linkId]),
            remove: (record) => show({ kind: 'remove', ids: [record.linkId], name: firstName(record, texts) }),
          })}
        />
        <LinksPager address={address} total={data?.total} isOutdated={isPlaceholderData} />
      </div>
      <OpenWindow
        kind={kind}
        open={open}
        rows={rows}
        onOpen={show}
        onRemove={(ids) => {
          clear()
          void commands.remove(ids)
        }}
      />
    </section>
  )
}

interface OpenWindowProps {
  readonly kind: 'download' | 'upload'
  readonly open: Open
  readonly rows: readonly LinkRecord[] | undefined
  readonly onOpen: (open: Open) => void
  readonly onRemove: (ids: readonly string[]) => void
}

/** What stands over the list: one link, its form, or the question before links are deleted. */
function OpenWindow({ kind, open, rows = [], onOpen, onRemove }: OpenWindowProps) {
  const texts = useTexts()
  const close = (): void => onOpen(undefined)
  switch (open?.kind) {
    case undefined:
      return null
    case 'detail': {
      const { linkId } = open.record
      return (
        <LinkDetail
          record={rows.find((row) => row.linkId === linkId) ?? open.record}
          onEdit={(record) => onOpen({ kind: 'edit', record })}
          onClose={close}
        />
      )
    }
    case 'seal':
      return <SealedDialog kind={kind === 'download' ? 'share' : 'invite'} onClose={close} />
    case 'edit':
      return <LinkDialog subject={{ kind: 'edit', record: open.record }} onClose={close} />
    case 'remove':
      return (
        <ConfirmAction
          title={texts('links.remove.title', { count: open.ids.length, name: open.name })}
          text={texts('links.remove.text')}
          submitLabel={texts('action.remove')}
          onConfirm={() => onRemove(open.ids)}
          onClose={close}
        />
      )
  }
}

interface SealedDialogProps {
  readonly kind: LinkTarget['kind']
  readonly onClose: () => void
}

/** Makes an encrypted link; its folder comes with it. */
function SealedDialog({ kind, onClose }: SealedDialogProps) {
  const { place } = useFilesServices()
  const target = { kind, place, folder: '/', names: [], hasFolder: true } as const
  return <LinkDialog subject={{ kind: 'new', target, isSealed: true }} onClose={onClose} />
}

function filtersOf(texts: Texts): readonly Filter[] {
  return [
    { kind: 'search', name: 'q', label: texts('links.filter.name') },
    {
      kind: 'choice',
      name: 'status',
      label: texts('links.status'),
      choices: Object.entries(LINK_STATUS).map(([name, value]) => ({
        value: String(value),
        label: texts(`links.status.${name as keyof typeof LINK_STATUS}`),
      })),
    },
  ]
}
