import { useQueryClient } from '@tanstack/react-query'
import { hasPermission } from '@godwit/contract/permissions'
import { nameFault, normaliseName } from '@godwit/contract/names'
import { Folder, FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { ancestors, joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { type TreeNode, Tree } from '../../../ui/tree/index.ts'
import { Breadcrumb, partLabel } from './breadcrumb.tsx'
import styles from './dialogs.module.css'
import { NO_LIMIT } from './new-folder.dialog.tsx'
import { useFilesServices } from './files-services.tsx'
import { folderHref } from './folder-address.ts'
import { folderKeys, type FolderView, loadFolder } from './folder-query.ts'
import { useLibrary } from './library.ts'
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
  const { rootName, address, permission } = useLibrary()
  const loadFolders = useFolderLoader()
  const mayMake = hasPermission(permission, 'mkdir')
  const [folder, setFolder] = useState(from)
  const [isMaking, setMaking] = useState(false)
  // The tree is read anew after a folder was made, open where it is.
  const [made, setMade] = useState(from)
  const sources = new Set(names.map((name) => joinPath(from, name)))
  const values = { count: names.length, name: names[0] ?? '' }
  return (
    <Dialog
      title={texts(`${kind}.title`, values)}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          {mayMake && !isMaking && (
            <Button kind="quiet" className={styles['atStart']} onClick={() => setMaking(true)}>
              <FolderPlus size={18} aria-hidden="true" />
              {texts('action.new-folder')}
            </Button>
          )}
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button kind="solid" disabled={kind === 'move' && folder === from} onClick={() => onChoose(folder)}>
            {texts(`${kind}.submit`)}
          </Button>
        </>
      }
    >
      <Breadcrumb
        folder={folder}
        rootName={rootName}
        onOpen={setFolder}
        hrefOf={(path) => folderHref(address, { ...BY_NAME, folder: path })}
      />
      {isMaking && (
        <NewFolderLine
          folder={folder}
          onMade={(path) => {
            setMaking(false)
            setFolder(path)
            setMade(path)
          }}
        />
      )}
      <Tree
        key={made}
        label={texts('picker.folders')}
        searchLabel={texts('picker.search')}
        root={{ id: '/', name: rootName }}
        load={loadFolders}
        openFirst={ancestors(made)}
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

interface NewFolderLineProps {
  readonly folder: string
  readonly onMade: (path: string) => void
}

/** Makes a folder inside the chosen one without a dialog over the dialog. */
function NewFolderLine({ folder, onMade }: NewFolderLineProps) {
  const texts = useTexts()
  const { rootName } = useLibrary()
  const client = useQueryClient()
  const { operate, place } = useFilesServices()
  const [name, setName] = useState(texts('new-folder.default'))
  const [failure, setFailure] = useState<unknown>()
  const wanted = normaliseName(name)
  const fault = nameFault(wanted)
  const error =
    fault !== undefined ? texts.nameFault(fault) : failure === undefined ? undefined : texts.failure(failure)
  const make = async (): Promise<void> => {
    if (fault !== undefined) return
    try {
      await operate('mkdir', { ...place, folder, name: wanted })
      void client.invalidateQueries({ queryKey: folderKeys(place, folder) })
      onMade(joinPath(folder, wanted))
    } catch (thrown) {
      setFailure(thrown)
    }
  }
  return (
    <Form onSubmit={() => void make()}>
      <div className={styles['line']}>
        <TextField
          label={texts('new-folder.label')}
          hint={texts('picker.new-folder', { folder: partLabel(folder, rootName) })}
          value={name}
          maxLength={NO_LIMIT}
          autoFocus
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setName(event.target.value)
            setFailure(undefined)
          }}
          error={error}
        />
        <Button type="submit">{texts('new-folder.submit')}</Button>
      </div>
    </Form>
  )
}
