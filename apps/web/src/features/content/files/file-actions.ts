import { hasPermission, type Permission } from '@godwit/contract/permissions'
import {
  CopyPlus,
  Download,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
  Info,
  Pencil,
  Search,
  Trash2,
  X,
  Undo2,
  Upload,
} from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'

/** What the actions look at and what they set going. Selection facts are counted once, not for each action. */
export interface FilesContext {
  readonly permission: number
  readonly canUseWebTransfer: boolean
  readonly count: number
  readonly hasVirtualFolder: boolean
  readonly isAtRoot: boolean
  readonly canUndo: boolean
  readonly do: FilesCommands
}

export interface FilesCommands {
  readonly open: () => void
  readonly pickFiles: () => void
  readonly pickFolder: () => void
  readonly newFolder: () => void
  readonly download: () => void
  readonly rename: () => void
  readonly move: () => void
  readonly copy: () => void
  readonly remove: () => void
  readonly attributes: () => void
  readonly selectAll: () => void
  readonly clear: () => void
  readonly parent: () => void
  readonly find: () => void
  readonly undo: () => void
}

function may(context: FilesContext, permission: Permission): boolean {
  return hasPermission(context.permission, permission)
}

/** Whether the permission covers the selection: something is selected, and no virtual folder is part of it. */
function mayChange(context: FilesContext, permission: Permission): boolean {
  return context.count > 0 && !context.hasVirtualFolder && may(context, permission)
}

/** Everything one can do with files, in the order of the row menu. */
export const FILE_ACTIONS: ReadonlyArray<Action<FilesContext>> = [
  {
    name: 'open',
    label: 'action.open',
    group: 'navigation',
    icon: FolderOpen,
    keys: ['Enter'],
    when: ({ count }) => count === 1,
    run: (context) => context.do.open(),
  },
  {
    name: 'upload-files',
    label: 'action.upload-files',
    group: 'files',
    icon: Upload,
    keys: ['Alt+U'],
    tone: 'solid',
    when: (context) => context.canUseWebTransfer && may(context, 'upload'),
    run: (context) => context.do.pickFiles(),
  },
  {
    name: 'upload-folder',
    label: 'action.upload-folder',
    group: 'files',
    icon: FolderUp,
    keys: ['Alt+Shift+U'],
    when: (context) => context.canUseWebTransfer && may(context, 'upload'),
    run: (context) => context.do.pickFolder(),
  },
  {
    name: 'new-folder',
    label: 'action.new-folder',
    group: 'files',
    icon: FolderPlus,
    keys: ['Alt+N'],
    when: (context) => may(context, 'mkdir'),
    run: (context) => context.do.newFolder(),
  },
  {
    name: 'download',
    label: 'action.download',
    group: 'files',
    icon: Download,
    keys: ['Alt+Shift+D'],
    tone: 'solid',
    when: (context) => context.count > 0 && context.canUseWebTransfer && may(context, 'download'),
    run: (context) => context.do.download(),
  },
  {
    name: 'rename',
    label: 'action.rename',
    group: 'files',
    icon: Pencil,
    keys: ['F2'],
    when: (context) => context.count === 1 && mayChange(context, 'rename'),
    run: (context) => context.do.rename(),
  },
  {
    name: 'move',
    label: 'action.move',
    group: 'files',
    icon: FolderInput,
    keys: ['Alt+M'],
    when: (context) => mayChange(context, 'move'),
    run: (context) => context.do.move(),
  },
  {
    name: 'copy',
    label: 'action.copy',
    group: 'files',
    icon: CopyPlus,
    keys: ['Alt+C'],
    when: (context) => mayChange(context, 'copy'),
    run: (context) => context.do.copy(),
  },
  {
    name: 'attributes',
    label: 'action.attributes',
    group: 'files',
    icon: Info,
    keys: ['Alt+Enter'],
    when: ({ count }) => count > 0,
    run: (context) => context.do.attributes(),
  },
  {
    name: 'remove',
    label: 'action.remove',
    group: 'files',
    icon: Trash2,
    keys: ['Delete'],
    tone: 'danger',
    when: (context) => mayChange(context, 'delete'),
    run: (context) => context.do.remove(),
  },
  {
    name: 'undo',
    label: 'action.undo',
    group: 'files',
    icon: Undo2,
    keys: ['Mod+Z'],
    when: ({ canUndo }) => canUndo,
    run: (context) => context.do.undo(),
  },
  {
    name: 'select-all',
    label: 'action.select-all',
    group: 'selection',
    keys: ['Mod+A'],
    run: (context) => context.do.selectAll(),
  },
  {
    name: 'clear',
    label: 'action.clear',
    group: 'selection',
    icon: X,
    keys: ['Escape'],
    when: ({ count }) => count > 0,
    run: (context) => context.do.clear(),
  },
  {
    name: 'parent',
    label: 'action.parent',
    group: 'navigation',
    keys: ['Alt+ArrowUp', 'Backspace'],
    when: ({ isAtRoot }) => !isAtRoot,
    run: (context) => context.do.parent(),
  },
  {
    name: 'find',
    label: 'action.find',
    group: 'navigation',
    icon: Search,
    keys: ['/'],
    run: (context) => context.do.find(),
  },
]

/** Shown while something is selected, in the toolbar and in the row menu. */
export const SELECTION_ACTIONS = ['open', 'download', 'rename', 'move', 'copy', 'attributes', 'remove'] as const
