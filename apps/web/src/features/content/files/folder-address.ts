import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useStore } from '../../../lib/store.ts'
import { normalPath, parentOf } from '../../../lib/paths.ts'
import { useFilesServices } from './files-services.tsx'
import { folderOrders, orderOf, rememberOrder } from './folder-orders.ts'
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

/** An order in the address holds; without one it is what was chosen for the folder last. */
export function useFolderAddress(): FolderAddress {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { address: to } = useLibrary()
  const { path, sort, order } = search
  const { place } = useFilesServices()
  const orders = useStore(folderOrders)
  const view = useMemo(() => {
    const named = folderViewOf({ path, sort, order })
    const isGiven = sort !== undefined || order !== undefined
    return isGiven ? named : { ...named, ...orderOf(orders, place, named.folder) }
  }, [path, sort, order, orders, place])
  const open = useCallback(
    (folder: string) =>
      void navigate({ to, search: searchOf({ ...orderOf(folderOrders.get(), place, folder), folder }) }),
    [navigate, to, place],
  )
  const sortBy = useCallback(
    (orderBy: OrderBy, next: Order) => {
      rememberOrder(place, view.folder, { orderBy, order: next })
      void navigate({ to, search: searchOf({ ...view, orderBy, order: next }), replace: true })
    },
    [navigate, to, view, place],
  )
  const up = useCallback(
    () =>
      void navigate({
        to,
        search: (latest: Readonly<Record<string, unknown>>) => {
          const folder = parentOf(folderViewOf(latest).folder)
          return searchOf({ ...orderOf(folderOrders.get(), place, folder), folder })
        },
      }),
    [navigate, to, place],
  )
  return { view, open, up, sortBy }
}
