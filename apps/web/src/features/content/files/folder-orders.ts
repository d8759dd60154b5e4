import type { Place } from '../../../lib/file-socket.ts'
import { readStoredJson, writeStored } from '../../../lib/storage.ts'
import { createStore } from '../../../lib/store.ts'
import { spotKey } from './spot.ts'
import type { FolderView } from './folder-query.ts'

export type FolderOrder = Pick<FolderView, 'orderBy' | 'order'>

/** Orders that were chosen, by folder, the latest last; a folder without one is in order of names. */
export type FolderOrders = Readonly<Record<string, FolderOrder>>

const STORED = 'godwit.folder-orders'
/** Folders whose order is remembered. */
const MOST = 200
const BY_NAME: FolderOrder = { orderBy: 'name', order: 'asc' }

export const folderOrders = createStore<FolderOrders>(ordersOf(readStoredJson(STORED)))

/** What a browser stores may be anything. */
export function ordersOf(stored: unknown): FolderOrders {
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(Object.entries(stored).filter(([, order]) => isOrder(order)))
}

function isOrder(order: unknown): order is FolderOrder {
  if (typeof order !== 'object' || order === null || !('orderBy' in order) || !('order' in order)) return false
  return ['name', 'size', 'time'].includes(String(order.orderBy)) && ['asc', 'desc'].includes(String(order.order))
}

export function orderOf(orders: FolderOrders, place: Place, folder: string): FolderOrder {
  return orders[spotKey({ place, folder })] ?? BY_NAME
}

/** @returns the orders with one more; what was chosen longest ago is forgotten */
export function withOrder(orders: FolderOrders, key: string, order: FolderOrder): FolderOrders {
  const others = Object.entries(orders).filter(([known]) => known !== key)
  const isUsual = order.orderBy === BY_NAME.orderBy && order.order === BY_NAME.order
  return Object.fromEntries([...others, ...(isUsual ? [] : [[key, order] as const])].slice(-MOST))
}

export function rememberOrder(place: Place, folder: string, order: FolderOrder): void {
  folderOrders.set(withOrder(folderOrders.get(), spotKey({ place, folder }), order))
  writeStored(STORED, JSON.stringify(folderOrders.get()))
}
