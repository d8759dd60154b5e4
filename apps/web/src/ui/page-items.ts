import { SCREEN } from '@godwit/contract/limits'

/** A page by its number from 1 on, or pages left out. */
export type PageItem = number | 'gap-before' | 'gap-after'

/** At least 1: an empty list has one empty page. */
export function lastPage(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

/** The page that is shown when this one was asked for: another page size, or fewer entries, may have taken it away. */
export function cappedPage(page: number, total: number, pageSize: number): number {
  return Math.min(Math.max(1, page), lastPage(total, pageSize))
}

/**
 * The buttons of a list of pages: one page at each end, two on either side of the current one, and a gap for what lies
 * between. A gap that would hide a single page is that page.
 */
export function pageItems(current: number, last: number): readonly PageItem[] {
  const from = Math.max(1, current - SCREEN.paginationSiblingPages)
  const to = Math.min(last, current + SCREEN.paginationSiblingPages)
  const shown: PageItem[] = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  return [...before(from), ...shown, ...after(to, last)]
}

function before(from: number): readonly PageItem[] {
  const edge = SCREEN.paginationBoundaryPages
  if (from <= edge) return []
  if (from <= edge + 2) return Array.from({ length: from - 1 }, (_, at) => at + 1)
  return [...Array.from({ length: edge }, (_, at) => at + 1), 'gap-before']
}

function after(to: number, last: number): readonly PageItem[] {
  const edge = SCREEN.paginationBoundaryPages
  const left = last - to
  if (left <= edge + 1) return Array.from({ length: left }, (_, at) => to + 1 + at)
  return ['gap-after', ...Array.from({ length: edge }, (_, at) => last - edge + 1 + at)]
}
