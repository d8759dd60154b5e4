import type { Notice } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../lib/http.ts'
import { isRowSelected, type TableSelection } from '../../../ui/data-table/index.ts'
import { loadPage, markRead } from './notices-query.ts'

/** The most that one call marks. */
const MARKED_AT_ONCE = 500

/** Marks what is selected over all pages: the unread ones among it are looked for page by page. */
export async function markSelectedRead(api: Api, client: QueryClient, selection: TableSelection): Promise<void> {
  const chosen: Notice[] = []
  let left = Number.POSITIVE_INFINITY
  for (let page = 1; left > 0; page++) {
    const { signal } = new AbortController()
    const { notices, total, unread } = await loadPage(api, { page, pageSize: LIMITS.noticeUnreadFetch, signal })
    const found = notices.filter(({ isShowed }) => isShowed === 0)
    chosen.push(...found.filter(({ id }) => isRowSelected(selection, id)))
    left = page * LIMITS.noticeUnreadFetch < total ? Math.min(left, unread) - found.length : 0
  }
  for (let at = 0; at < chosen.length; at += MARKED_AT_ONCE) {
    await markRead(api, client, chosen.slice(at, at + MARKED_AT_ONCE))
  }
}
