import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { normalPath, parentOf } from '../../../lib/paths.ts'
import { useLibrary } from './library.ts'
import type { FolderView, Order, OrderBy } from './folder-query.ts'

const ORDERS: readonly OrderBy[] = ['name', 'size', 'time']

/** Reads a folder and its order from the address; what makes no sense counts as not given. */
export function folderViewOf(search: Readonly<Record<string, unknown>>): FolderView {
  const { path, sort, order } = search
  return {
    folder: typeof path === 'string' ? normalPath(path) : '/',
    orderBy: ORDERS.find((each) => each === sort) ?? 'name',
    order: order === 'desc' ? 'desc' : 'asc',
  }
}

/** The address keeps only what differs from a fresh visit. */
export function searchOf({ folder, orderBy, order }: FolderView): Record<string, string> {
  return {
    ...(folder === '/' ? {} : { path: folder }),
    ...(orderBy === 'name' ? {} : { sort: orderBy }),
    ...(order === 'asc' ? {} : { order }),
  }
}

/** @param root address of the root of the library */
export function folderHref(root: string, view: FolderView): string {
  const search = new URLSearchParams(searchOf(view)).toString().replaceAll('%2F', '/')
  return search === '' ? root : `${root}?${search}`
}

export interface FolderAddress {
  readonly view: FolderView
  open(folder: string): void
  /** The parent of the folder that the address names by now, whatever is on the screen yet. */
  up(): void
  sortBy(orderBy: OrderBy, order: Order): void
}

export function useFolderAddress(): FolderAddress {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { address: to } = useLibrary()
  const { path, sort, order } = search
  const view = useMemo(() => folderViewOf({ path, sort, order }), [path, sort, order])
  const open = useCallback(
    (folder: string) => void navigate({ to, search: searchOf({ ...view, folder }) }),
    [navigate, to, view],
  )
  const sortBy = useCallback(
    (orderBy: OrderBy, next: Order) =>
      void navigate({ to, search: searchOf({ ...view, orderBy, order: next }), replace: true }),
    [navigate, to, view],
  )
  const up = useCallback(
    () =>
      void navigate({
        to,
        search: (latest: Readonly<Record<string, unknown>>) => {
          const now = folderViewOf(latest)
          return searchOf({ ...now, folder: parentOf(now.folder) })
        },
      }),
    [navigate, to],
  )
  return { view, open, up, sortBy }
}
