import type { ActivityItem } from '@godwit/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { nameOf, parentOf } from '../../../lib/paths.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { actorText } from './actor-text.ts'
import styles from './details.module.css'
import type { CommandDeps } from './file-commands.ts'

export interface DetailsActivityProps {
  readonly path: string
  /** Another one when the entry has changed. */
  readonly state: string
  readonly deps: CommandDeps
}

/** The server writes it down a moment after the change. */
const LOOK_AGAIN_MS = 5_000

/** What happened to an entry, and in a folder to what is in it; the newest first. */
export function DetailsActivity({ path, state, deps: { operate, place } }: DetailsActivityProps) {
  const texts = useTexts()
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['activity', place, path, state],
    queryFn: ({ pageParam, signal }) => operate('activity', { ...place, path, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: (previous) => previous,
    gcTime: 0,
  })
  const items = data?.pages.flatMap((page) => page.items)
  return (
    <section className={styles['section']}>
      <h3>{texts('details.activity')}</h3>
      <FailureNotice failure={error} />
      {items === undefined && error === null && <p aria-busy="true">{texts('app.loading')}</p>}
      {items?.length === 0 && <p className={styles['note']}>{texts('details.activity.none')}</p>}
      <ul className={styles['activity']} data-testid="activity">
        {items?.map((item, at) => (
          <li key={`${item.time} ${item.path} ${at}`}>
            <span>{sentence(item, texts)}</span>
            <small title={formatTimeExactly(item.time, texts.locale)}>
              {`${actorText(item.by, texts)} · ${formatTime(item.time)}`}
            </small>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts('details.activity.more')}
        </Button>
      )}
    </section>
  )
}

function sentence({ kind, path, from }: ActivityItem, texts: Texts): string {
  const values = { name: nameOf(path) }
  if (from === null) return texts(`activity.${kind}`, values)
  switch (kind) {
    case 'renamed':
      return texts('activity.renamed-from', { ...values, from: nameOf(from) })
    case 'moved':
      return texts('activity.moved-from', { ...values, from: parentOf(from) })
    case 'copied':
      return texts('activity.copied-from', { ...values, from })
    case 'uploaded':
    case 'replaced':
    case 'made':
    case 'deleted':
    case 'restored':
      return texts(`activity.${kind}`, values)
  }
}
