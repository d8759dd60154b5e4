import { type FileActionName, type FileSituation, offersFileAction } from '@godwit/contract/content/file-actions'
import { LIMITS } from '@godwit/contract/limits'
import { hasPermission } from '@godwit/contract/permissions'
import {
  Camera,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  FileArchive,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
  History,
  Info,
  LayoutGrid,
  Link2,
  List,
  MonitorDown,
  MonitorUp,
  PanelLeft,
  PanelRight,
  PackageOpen,
  Pencil,
  PencilLine,
  Scissors,
  Search,
  Star,
  StarOff,
  Trash2,
  X,
  Undo2,
  Upload,
  UserRoundPlus,
} from 'lucide-react'
import type { Action } from '../../../lib/actions.tsx'
import type { Layout } from './layout-state.ts'

/** What the actions look at and what they set going. Selection facts are counted once, not for each action. */
export interface FilesContext {
  readonly situation: FileSituation
  readonly isAtRoot: boolean
  readonly canUndo: boolean
  readonly canPaste: boolean
  /** Everything that is selected is a favorite. */
  readonly isFavorite: boolean
  readonly layout: Layout
  /** There is room for the tree of folders. */
  readonly hasTree: boolean
  readonly do: FilesCommands
}

export interface FilesCommands {
  readonly open: () => void
  readonly pickFiles: () => void
  readonly pickFolder: () => void
  readonly takePhoto: () => void
  readonly clientUpload: (pick: 'files' | 'folder') => void
  readonly clientDownload: () => void
  readonly newFolder: () => void
  readonly download: () => void
  readonly share: () => void
  readonly invite: () => void
  readonly rename: () => void
  readonly batchRename: () => void
  readonly cut: () => void
  readonly clip: () => void
  readonly paste: () => void
  readonly move: () => void
  readonly copy: () => void
  readonly pack: () => void
  readonly unpack: () => void
  readonly remove: () => void
  readonly versions: () => void
  readonly attributes: () => void
  readonly details: () => void
  readonly tree: () => void
  readonly favorite: () => void
  readonly unfavorite: () => void
  readonly showTiles: () => void
  readonly showList: () => void
  readonly selectAll: () => void
  readonly clear: () => void
  readonly parent: () => void
  readonly find: () => void
  readonly recycleBin: () => void
  readonly undo: () => void
}

/** The policy that the server's rights are held against says where an action is offered. */
function offered(name: FileActionName): Pick<Action<FilesContext>, 'name' | 'when'> {
  return { name, when: ({ situation }) => offersFileAction(name, situation) }
}

function mayMark({ permission, selection: { count } }: FileSituation): boolean {
  return count > 0 && count <= LIMITS.favoritesMax && hasPermission(permission, 'list')
}

/** Everything one can do with files, in the order of the row menu. */
export const FILE_ACTIONS: ReadonlyArray<Action<FilesContext>> = [
  {
    ...offered('open'),
    label: 'action.open',
    group: 'navigation',
    icon: FolderOpen,
    keys: ['Enter'],
    run: (context) => context.do.open(),
  },
  {
    ...offered('upload-files'),
    label: 'action.upload-files',
    hint: 'action.hint.web',
    group: 'files',
    icon: Upload,
    keys: ['Alt+U'],
    tone: 'solid',
    run: (context) => context.do.pickFiles(),
  },
  {
    ...offered('upload-folder'),
    label: 'action.upload-folder',
    hint: 'action.hint.web',
    group: 'files',
    icon: FolderUp,
    keys: ['Alt+Shift+U'],
    run: (context) => context.do.pickFolder(),
  },
  {
    name: 'take-photo',
    label: 'action.take-photo',
    group: 'files',
    icon: Camera,
    when: ({ situation }) => matchMedia('(pointer: coarse)').matches && offersFileAction('upload-files', situation),
    run: (context) => context.do.takePhoto(),
  },
  {
    ...offered('client-upload-files'),
    label: 'action.client-upload-files',
    hint: 'action.hint.client',
    group: 'files',
    icon: MonitorUp,
    tone: 'solid',
    run: (context) => context.do.clientUpload('files'),
  },
  {
    ...offered('client-upload-folder'),
    label: 'action.client-upload-folder',
    hint: 'action.hint.client',
    group: 'files',
    icon: MonitorUp,
    run: (context) => context.do.clientUpload('folder'),
  },
  {
    ...offered('new-folder'),
    label: 'action.new-folder',
    group: 'files',
    icon: FolderPlus,
    keys: ['Alt+N'],
    run: (context) => context.do.newFolder(),
  },
  {
    ...offered('download'),
    label: 'action.download',
    hint: 'action.hint.web',
    group: 'files',
    icon: Download,
    keys: ['Alt+Shift+D'],
    tone: 'solid',
    run: (context) => context.do.download(),
  },
  {
    ...offered('client-download'),
    label: 'action.client-download',
    hint: 'action.hint.client',
    group: 'files',
    icon: MonitorDown,
    tone: 'solid',
    run: (context) => context.do.clientDownload(),
  },
  {
    ...offered('share'),
    label: 'action.share',
    group: 'files',
    icon: Link2,
    keys: ['Alt+S'],
    run: (context) => context.do.share(),
  },
  {
    ...offered('invite'),
    label: 'action.invite',
    group: 'files',
    icon: UserRoundPlus,
    keys: ['Alt+I'],
    run: (context) => context.do.invite(),
  },
  {
    ...offered('rename'),
    label: 'action.rename',
    group: 'files',
    icon: Pencil,
    keys: ['F2'],
    run: (context) => context.do.rename(),
  },
  {
    ...offered('batch-rename'),
    label: 'action.batch-rename',
    group: 'files',
    icon: PencilLine,
    keys: ['F2'],
    run: (context) => context.do.batchRename(),
  },
  {
    name: 'cut',
    label: 'action.cut',
    group: 'files',
    icon: Scissors,
    keys: ['Mod+X'],
    isNative: true,
    when: ({ situation }) => offersFileAction('move', situation),
    run: (context) => context.do.cut(),
  },
  {
    name: 'clip',
    label: 'action.clip',
    group: 'files',
    icon: Copy,
    keys: ['Mod+C'],
    isNative: true,
    when: ({ situation }) => offersFileAction('copy', situation),
    run: (context) => context.do.clip(),
  },
  {
    name: 'paste',
    label: 'action.paste',
    group: 'files',
    icon: ClipboardPaste,
    keys: ['Mod+V'],
    isNative: true,
    when: ({ canPaste }) => canPaste,
    run: (context) => context.do.paste(),
  },
  {
    ...offered('move'),
    label: 'action.move',
    group: 'files',
    icon: FolderInput,
    keys: ['Alt+M'],
    run: (context) => context.do.move(),
  },
  {
    ...offered('copy'),
    label: 'action.copy',
    group: 'files',
    icon: CopyPlus,
    keys: ['Alt+C'],
    run: (context) => context.do.copy(),
  },
  {
    ...offered('pack'),
    label: 'action.pack',
    group: 'files',
    icon: FileArchive,
    run: (context) => context.do.pack(),
  },
  {
    ...offered('unpack'),
    label: 'action.unpack',
    group: 'files',
    icon: PackageOpen,
    run: (context) => context.do.unpack(),
  },
  {
    ...offered('versions'),
    label: 'action.versions',
    group: 'files',
    icon: History,
    keys: ['Alt+V'],
    run: (context) => context.do.versions(),
  },
  {
    ...offered('attributes'),
    label: 'action.attributes',
    group: 'files',
    icon: Info,
    keys: ['Alt+Enter'],
    run: (context) => context.do.attributes(),
  },
  {
    name: 'details',
    label: 'action.details',
    group: 'files',
    icon: PanelRight,
    keys: ['i'],
    when: ({ situation }) => hasPermission(situation.permission, 'list'),
    run: (context) => context.do.details(),
  },
  {
    name: 'favorite',
    label: 'action.favorite',
    group: 'files',
    icon: Star,
    keys: ['Alt+Shift+S'],
    when: ({ situation, isFavorite }) => !isFavorite && mayMark(situation),
    run: (context) => context.do.favorite(),
  },
  {
    name: 'unfavorite',
    label: 'action.unfavorite',
    group: 'files',
    icon: StarOff,
    keys: ['Alt+Shift+S'],
    when: ({ situation, isFavorite }) => isFavorite && mayMark(situation),
    run: (context) => context.do.unfavorite(),
  },
  {
    name: 'tree',
    label: 'action.tree',
    group: 'navigation',
    icon: PanelLeft,
    keys: ['Alt+T'],
    when: ({ situation, hasTree }) => hasTree && hasPermission(situation.permission, 'list'),
    run: (context) => context.do.tree(),
  },
  {
    name: 'tiles',
    label: 'action.tiles',
    group: 'navigation',
    icon: LayoutGrid,
    keys: ['v'],
    when: ({ layout }) => layout === 'list',
    run: (context) => context.do.showTiles(),
  },
  {
    name: 'list',
    label: 'action.list',
    group: 'navigation',
    icon: List,
    keys: ['v'],
    when: ({ layout }) => layout === 'tiles',
    run: (context) => context.do.showList(),
  },
  {
    ...offered('remove'),
    label: 'action.remove',
    group: 'files',
    icon: Trash2,
    keys: ['Delete'],
    tone: 'danger',
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
    when: ({ situation }) => situation.selection.count > 0,
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
  {
    name: 'recycle-bin',
    label: 'recycle.title',
    group: 'navigation',
    icon: Trash2,
    run: (context) => context.do.recycleBin(),
  },
]
