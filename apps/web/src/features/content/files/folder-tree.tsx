import { Folder } from 'lucide-react'
import { type DragEvent, useCallback, useMemo } from 'react'
import { ancestors } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Tree } from '../../../ui/tree/index.ts'
import { useFilesServices } from './files-services.tsx'
import { watchFolder } from './folder-query.ts'
import styles from './folder-tree.module.css'
import { useLibrary } from './library.ts'
import { useFolderLoader } from './use-folder-loader.ts'
import type { FolderList } from './use-folder-list.ts'
import { isRowDrag } from './use-row-drag.ts'

export interface FolderTreeProps {
  readonly list: FolderList
  /** Moves what is selected; absent when nothing may be moved. */
  readonly onDropRows: ((target: string) => void) | undefined
}

/** The folders of the place beside the list, open down to the folder that is shown; takes rows of the list and files. */
export function FolderTree({ list, onDropRows }: FolderTreeProps) {
  const texts = useTexts()
  const { socket, place } = useFilesServices()
  const { rootName } = useLibrary()
  const { folder } = list.view
  const watch = useCallback(
    (path: string, onChange: () => void) => watchFolder(socket, { place, folder: path }, onChange),
    [socket, place],
  )
  return (
    <nav className={styles['pane']} aria-label={texts('action.tree')} data-testid="folder-tree">
      <Tree
        key={`${place.spaceId} ${place.groupId}`}
        isCompact
        label={texts('picker.folders')}
        root={{ id: '/', name: rootName }}
        load={useFolderLoader()}
        watch={watch}
        openFirst={useMemo(() => ancestors(folder), [folder])}
        selected={folder}
        onSelect={list.address.open}
        drop={{
          takes: (event, id) => (isRowDrag(event) ? onDropRows !== undefined && mayHold(list, id) : bringsFiles(event)),
          onDrop(event, id) {
            if (!isRowDrag(event)) return false
            onDropRows?.(id)
            return true
          },
        }}
        icon={<Folder size={16} aria-hidden="true" />}
      />
    </nav>
  )
}

/** Files of the computer go to the drop zone around the tree, which reads the folder from the line. */
function bringsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files')
}

/** Rows cannot go where they are, nor into themselves. */
function mayHold({ view, names, pathOf }: FolderList, target: string): boolean {
  if (target === view.folder) return false
  return names().every((name) => target !== pathOf(name) && !target.startsWith(`${pathOf(name)}/`))
}
