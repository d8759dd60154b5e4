import { LIMITS, type PreviewLogEntry } from '@godwit/contract'
import type { Kernel } from '../../kernel/kernel.ts'
import { foldCase } from '../../identity/users/index.ts'
import { previewLogStore, type PreviewLogFilter, type PreviewViewRow } from './preview-log.store.ts'

export type PreviewLogDeps = Pick<Kernel, 'db' | 'clock' | 'ids'>

/** Whose view it is: an account, or the visit of a guest. */
export interface ViewOwner {
  readonly userId?: string
  readonly visitId?: string
}

export interface NewView extends ViewOwner {
  readonly viewer: string
  /** What the link of a guest is called. */
  readonly link?: string
  readonly spaceId: number
  readonly groupId: number
  /** As the owner sees it. */
  readonly path: string
  readonly address: string
}

const SHOWN_MAX = 255

/** Writes down that somebody looks at a file. @returns what its end is reported by */
export async function beginView({ db, clock, ids }: PreviewLogDeps, view: NewView): Promise<string> {
  const id = ids.next()
  const at = clock.now()
  const { userId = '', visitId = '', viewer, link = '', spaceId, groupId, path, address } = view
  const shown = { viewer: cut(viewer), link: cut(link), path }
  await previewLogStore.insert(db, {
    ...{ id, user_id: userId, visit_id: visitId, space_id: spaceId, group_id: groupId, ...shown },
    search_text: foldCase(`${path}\n${shown.viewer}\n${shown.link}`),
    ...{ address: address.slice(0, 64), started_at: at, seen_at: at, is_over: 0 },
  })
  return id
}

/** Notes a sign of life, or the end. Whoever names the view of somebody else changes nothing. */
export async function noteViewed(
  { db, clock }: PreviewLogDeps,
  { userId = '', visitId = '' }: ViewOwner,
  { viewId, isOver }: { readonly viewId: string; readonly isOver: boolean },
): Promise<void> {
  const view = { id: viewId, user_id: userId, visit_id: visitId }
  await previewLogStore.see(db, view, { seen_at: clock.now(), is_over: Number(isOver) })
}

export async function previewLog(
  { db, clock }: Pick<PreviewLogDeps, 'db' | 'clock'>,
  filter: PreviewLogFilter,
  page: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: PreviewLogEntry[]; readonly total: number }> {
  const { rows, total } = await previewLogStore.search(db, filter, page)
  const now = clock.now()
  return { rows: rows.map((row) => present(row, now)), total }
}

/** The log is kept for 90 days, as that of sign-ins. */
export async function forgetViews({ db, clock }: Pick<PreviewLogDeps, 'db' | 'clock'>): Promise<void> {
  await previewLogStore.removeOlder(db, clock.now() - LIMITS.previewLogKeptMs)
}

function present(row: PreviewViewRow, now: number): PreviewLogEntry {
  const [at, seenAt] = [Number(row.started_at), Number(row.seen_at)]
  return {
    ...{
      id: row.id,
      at,
      durationMs: Math.max(0, seenAt - at),
      userId: row.user_id,
      viewer: row.viewer,
      link: row.link,
    },
    ...{ path: row.path, spaceId: row.space_id, groupId: row.group_id, address: row.address },
    // Two reports in a row that did not come: the viewer is gone.
    isOpen: row.is_over === 0 && now - seenAt < 2 * LIMITS.previewReportMs,
  }
}

function cut(text: string): string {
  return [...text].slice(0, SHOWN_MAX).join('')
}
