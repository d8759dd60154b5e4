import { hasPermission } from '@godwit/contract/permissions'
import { FolderInput, Trash2, Undo2 } from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import type { RecycledItem } from './recycle-query.ts'

type Items = readonly RecycledItem[]

/** What is to be done with items of the bin, and the rights in the place they are from. */
export interface RecycleContext {
  readonly permission: number
  readonly items: Items
  readonly restore: (items: Items) => void
  readonly restoreTo: (items: Items) => void
  readonly purge: (items: Items) => void
}

const mayRestore = ({ permission, items }: RecycleContext): boolean =>
  items.length > 0 && hasPermission(permission, 'upload')

/** The toolbar of the selection and the menu of each row. */
export const RECYCLE_ACTIONS: ReadonlyArray<Action<RecycleContext>> = [
  {
    name: 'restore',
    label: 'recycle.restore',
    group: 'files',
    icon: Undo2,
    when: mayRestore,
    run: ({ restore, items }) => restore(items),
  },
  {
    name: 'restore-to',
    label: 'recycle.restore-to',
    group: 'files',
    icon: FolderInput,
    when: mayRestore,
    run: ({ restoreTo, items }) => restoreTo(items),
  },
  {
    name: 'purge',
    label: 'recycle.purge',
    group: 'files',
    icon: Trash2,
    tone: 'danger',
    when: ({ permission, items }) => items.length > 0 && hasPermission(permission, 'delete'),
    run: ({ purge, items }) => purge(items),
  },
]
