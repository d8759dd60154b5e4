import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { type ListShape, type ListSort, type ListState, listStateOf, searchOfList, withFilter } from './list-address.ts'

export interface ListAddress extends ListState {
  showPage(page: number, pageSize?: number): void
  /** Takes the place of the present address: for one that names a page that is not there any more. */
  correctPage(page: number): void
  sortBy(sort: ListSort): void
  /** Takes the place of the present address, so that typing is not gone back letter by letter. */
  filterBy(name: string, value: string): void
  /** Changes how the list is shown; the browser's back returns to what was before. */
  show(name: string, value: string): void
  /** Changes several facts of how the list is shown, in place of the present address. */
  showAll(view: Readonly<Record<string, string>>): void
}

/**
 * The state of a list as the address of the page names it.
 * @param shape one value for the life of the page
 */
export function useListAddress(shape: ListShape): ListAddress {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => listStateOf(search, shape), [search, shape])
  const latest = useRef(state)
  latest.current = state
  const go = useCallback(
    (next: ListState, replace: boolean) => {
      latest.current = next
      void navigate({ to: '.', search: searchOfList(next, shape), replace })
    },
    [navigate, shape],
  )
  return {
    ...state,
    showPage: useCallback(
      (page, pageSize = latest.current.pageSize) => go({ ...latest.current, page, pageSize }, false),
      [go],
    ),
    correctPage: useCallback((page) => go({ ...latest.current, page }, true), [go]),
    showAll: useCallback((view) => go({ ...latest.current, view: { ...latest.current.view, ...view } }, true), [go]),
    sortBy: useCallback((sort) => go({ ...latest.current, page: 1, sort }, true), [go]),
    filterBy: useCallback((name, value) => go(withFilter(latest.current, name, value), true), [go]),
    show: useCallback(
      (name, value) => go({ ...latest.current, view: { ...latest.current.view, [name]: value } }, false),
      [go],
    ),
  }
}
