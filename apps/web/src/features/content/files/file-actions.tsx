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
  Trash2,
  Upload,
} from 'lucide-react'
import type { ReactNode } from 'react'
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

/** Document 2, section 6: what a selection allows. */
function mayChange(context: FilesContext, permission: Permission): boolean {
  return context.count > 0 && !context.hasVirtualFolder && may(context, permission)
}

/** Everything one can do with files, in the order of the row menu. */
export const FILE_ACTIONS: ReadonlyArray<Action<FilesContext>> = [
  {
    id: 'open',
    label: 'action.open',
    group: 'navigation',
    shortcuts: ['Enter'],
    isOffered: ({ count }) => count === 1,
    run: (context) => context.do.open(),
  },
  {
    id: 'upload-files',
    label: 'action.upload-files',
    group: 'files',
    shortcuts: ['Alt+U'],
    isOffered: (context) => context.canUseWebTransfer && may(context, 'upload'),
    run: (context) => context.do.pickFiles(),
  },
  {
    id: 'upload-folder',
    label: 'action.upload-folder',
    group: 'files',
    shortcuts: ['Alt+Shift+U'],
    isOffered: (context) => context.canUseWebTransfer && may(context, 'upload'),
    run: (context) => context.do.pickFolder(),
  },
  {
    id: 'new-folder',
    label: 'action.new-folder',
    group: 'files',
    shortcuts: ['Alt+N'],
    isOffered: (context) => may(context, 'mkdir'),
    run: (context) => context.do.newFolder(),
  },
  {
    id: 'download',
    label: 'action.download',
    group: 'files',
    shortcuts: ['Alt+Shift+D'],
    isOffered: (context) => context.count > 0 && context.canUseWebTransfer && may(context, 'download'),
    run: (context) => context.do.download(),
  },
  {
    id: 'rename',
    label: 'action.rename',
    group: 'files',
    shortcuts: ['F2'],
    isOffered: (context) => context.count === 1 && mayChange(context, 'rename'),
    run: (context) => context.do.rename(),
  },
  {
    id: 'move',
    label: 'action.move',
    group: 'files',
    shortcuts: ['Alt+M'],
    isOffered: (context) => mayChange(context, 'move'),
    run: (context) => context.do.move(),
  },
  {
    id: 'copy',
    label: 'action.copy',
    group: 'files',
    shortcuts: ['Alt+C'],
    isOffered: (context) => mayChange(context, 'copy'),
    run: (context) => context.do.copy(),
  },
  {
    id: 'attributes',
    label: 'action.attributes',
    group: 'files',
    shortcuts: ['Alt+Enter'],
    isOffered: ({ count }) => count > 0,
    run: (context) => context.do.attributes(),
  },
  {
    id: 'remove',
    label: 'action.remove',
    group: 'files',
    shortcuts: ['Delete'],
    isOffered: (context) => mayChange(context, 'delete'),
    run: (context) => context.do.remove(),
  },
  {
    id: 'undo',
    label: 'action.undo',
    group: 'files',
    shortcuts: ['Mod+Z'],
    isOffered: ({ canUndo }) => canUndo,
    run: (context) => context.do.undo(),
  },
  {
    id: 'select-all',
    label: 'action.select-all',
    group: 'selection',
    shortcuts: ['Mod+A'],
    isOffered: () => true,
    run: (context) => context.do.selectAll(),
  },
  {
    id: 'clear',
    label: 'action.clear',
    group: 'selection',
    shortcuts: ['Escape'],
    isOffered: ({ count }) => count > 0,
    run: (context) => context.do.clear(),
  },
  {
    id: 'parent',
    label: 'action.parent',
    group: 'navigation',
    shortcuts: ['Alt+ArrowUp', 'Backspace'],
    isOffered: ({ isAtRoot }) => !isAtRoot,
    run: (context) => context.do.parent(),
  },
  {
    id: 'find',
    label: 'action.find',
    group: 'navigation',
    shortcuts: ['/'],
    isOffered: () => true,
    run: (context) => context.do.find(),
  },
]

/** Shown while something is selected, in the toolbar and in the row menu. */
export const SELECTION_ACTIONS = ['open', 'download', 'rename', 'move', 'copy', 'attributes', 'remove'] as const

export const ACTION_ICONS: Readonly<Record<string, ReactNode>> = {
  open: <FolderOpen size={18} aria-hidden="true" />,
  'upload-files': <Upload size={18} aria-hidden="true" />,
  'upload-folder': <FolderUp size={18} aria-hidden="true" />,
  'new-folder': <FolderPlus size={18} aria-hidden="true" />,
  download: <Download size={18} aria-hidden="true" />,
  rename: <Pencil size={18} aria-hidden="true" />,
  move: <FolderInput size={18} aria-hidden="true" />,
  copy: <CopyPlus size={18} aria-hidden="true" />,
  attributes: <Info size={18} aria-hidden="true" />,
  remove: <Trash2 size={18} aria-hidden="true" />,
}
