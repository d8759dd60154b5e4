import type { FileSituation } from '@godwit/contract/content/file-actions'
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
  readonly sync: () => void
  readonly syncDown: () => void
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
