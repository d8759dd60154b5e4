import { useQueryClient } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { useState } from 'react'
import { ancestors, joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type TreeNode, Tree } from '../../../ui/tree/index.ts'
import { Breadcrumb } from './breadcrumb.tsx'
import { useFilesServices } from './files-services.tsx'
import { folderHref } from './folder-address.ts'
import { type FolderView, loadFolder } from './folder-query.ts'
import { isFolder } from './listing.ts'

export interface TargetProps {
  readonly kind: 'move' | 'copy'
  readonly names: readonly string[]
  readonly from: string
  readonly onChoose: (target: string) => void
  readonly onClose: () => void
}

/** Chooses the folder that rows are moved or copied to. */
export function TargetDialog({ kind, names, from, onChoose, onClose }: TargetProps) {
  const texts = useTexts()
  const loadFolders = useFolderLoader()
  const [folder, setFolder] = useState(from)
  const sources = new Set(names.map((name) => joinPath(from, name)))
  const values = { count: names.length, name: names[0] ?? '' }
  return (
    <Dialog
      title={texts(`${kind}.title`, values)}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={kind === 'move' && folder === from} onClick={() => onChoose(folder)}>
            {texts(`${kind}.submit`)}
          </Button>
        </>
      }
    >
      <Breadcrumb
        folder={folder}
        maxParts={4}
        onOpen={setFolder}
        hrefOf={(path) => folderHref({ ...BY_NAME, folder: path })}
      />
      <Tree
        label={texts('picker.folders')}
        searchLabel={texts('picker.search')}
        root={{ id: '/', name: texts('files.root') }}
        load={loadFolders}
        openFirst={ancestors(from)}
        selected={folder}
        onSelect={setFolder}
        // What is moved cannot go into itself.
        isDisabled={(path) => sources.has(path)}
        icon={<Folder size={18} aria-hidden="true" />}
      />
    </Dialog>
  )
}

const BY_NAME: Omit<FolderView, 'folder'> = { orderBy: 'name', order: 'asc' }

function useFolderLoader() {
  const client = useQueryClient()
  const { operate, place } = useFilesServices()
  return async (folder: string, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const { names, types } = await loadFolder({ client, operate, place, view: { ...BY_NAME, folder }, signal })
    return names.flatMap((name, row) => (isFolder(types[row] ?? 0) ? [{ id: joinPath(folder, name), name }] : []))
  }
}
