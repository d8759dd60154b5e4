import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FolderOpen, History, Star, StarOff } from 'lucide-react'
import { useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { DataTable } from '../../../ui/data-table/index.ts'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { MARK_KEYS, useFilesServices } from '../files/index.ts'
import { addressOf } from '../search/index.ts'
import { markColumns } from './mark-columns.tsx'
import { type MarkedItem, type MarkKind, useMarked } from './marks-query.ts'
import styles from './marks.module.css'

/** Files and folders that the account marked, in all places of the space. */
export function FavoritesPage() {
  return <Marks kind="favorites" />
}

/** Files that the account worked with lately. */
export function RecentPage() {
  return <Marks kind="recent" />
}

function Marks({ kind }: { readonly kind: MarkKind }) {
  const texts = useTexts()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useMarked(kind)
  const rows = data?.pages.flatMap(({ items }) => items)
  const rowActions = useRowActions(kind)
  const title = texts(kind === 'recent' ? 'marks.recent' : 'marks.favorites')
  return (
    <section className={styles['page']} aria-labelledby="marks-title">
      <div className={styles['head']}>
        <h1 id="marks-title">{title}</h1>
        {kind === 'recent' && <ClearButton isEmpty={rows === undefined || rows.length === 0} />}
      </div>
      <div className={styles['card']} data-testid={kind}>
        <DataTable
          label={title}
          columns={markColumns(kind, texts)}
          rows={rows}
          error={error}
          onRetry={() => void refetch()}
          idOf={({ groupId, path }) => `${groupId} ${path}`}
          nameOf={({ name }) => name}
          empty={<Nothing kind={kind} />}
          rowActions={rowActions}
        />
        {hasNextPage && (
          <Button className={styles['more']} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts('marks.more')}
          </Button>
        )}
      </div>
    </section>
  )
}

function useRowActions(kind: MarkKind): ReadonlyArray<Action<MarkedItem>> {
  const navigate = useNavigate()
  const client = useQueryClient()
  const texts = useTexts()
  const { operate, messages } = useFilesServices()
  const unmark = async ({ spaceId, groupId, path, name }: MarkedItem): Promise<void> => {
    try {
      await operate('mark', { spaceId, groupId, paths: [path], isFavorite: false })
      messages.notify('success', texts('favorite.removed', { count: 1, name }))
    } catch (failure) {
      messages.fail(failure, texts)
    }
    await client.invalidateQueries({ queryKey: MARK_KEYS })
  }
  const show: Action<MarkedItem> = {
    name: 'show',
    label: 'marks.show',
    group: 'navigation',
    icon: FolderOpen,
    run: (item) => void navigate(addressOf(item, 'folder')),
  }
  if (kind === 'recent') return [show]
  return [
    show,
    {
      name: 'unmark',
      label: 'action.unfavorite',
      group: 'files',
      icon: StarOff,
      run: (item) => void unmark(item),
    },
  ]
}

function Nothing({ kind }: { readonly kind: MarkKind }) {
  const texts = useTexts()
  return (
    <StatePanel
      icon={kind === 'recent' ? <History size={28} /> : <Star size={28} />}
      title={texts(`marks.${kind}.none`)}
      text={texts(`marks.${kind}.none.text`)}
    />
  )
}

function ClearButton({ isEmpty }: { readonly isEmpty: boolean }) {
  const texts = useTexts()
  const client = useQueryClient()
  const { operate, messages } = useFilesServices()
  const [isAsking, ask] = useState(false)
  const clear = async (): Promise<void> => {
    ask(false)
    try {
      await operate('forgetRecent', {})
    } catch (failure) {
      messages.fail(failure, texts)
    }
    await client.invalidateQueries({ queryKey: MARK_KEYS })
  }
  return (
    <>
      <Button disabled={isEmpty} onClick={() => ask(true)}>
        {texts('marks.clear')}
      </Button>
      {isAsking && (
        <ConfirmAction
          title={texts('marks.clear.title')}
          text={texts('marks.clear.text')}
          submitLabel={texts('marks.clear')}
          onConfirm={() => void clear()}
          onClose={() => ask(false)}
        />
      )}
    </>
  )
}
