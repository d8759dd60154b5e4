import { useQueryClient } from '@tanstack/react-query'
import type { GroupEntry } from '@godwit/contract'
import { mayLeave, NO_SELECTION, offersFileAction, takesArrival } from '@godwit/contract/content/file-actions'
import { nameFault, normaliseName } from '@godwit/contract/names'
import { Folder, FolderPlus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { ancestors, joinPath } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { NO_LIMIT } from '../../../ui/new-folder-dialog.tsx'
import { Tree } from '../../../ui/tree/index.ts'
import { useAccount } from '../../identity/auth/index.ts'
import { Breadcrumb, partLabel } from './breadcrumb.tsx'
import styles from './dialogs.module.css'
import { FilesServicesProvider, useFilesServices } from './files-services.tsx'
import { folderHref } from './folder-address.ts'
import { type FolderView, refreshFolder } from './folder-query.ts'
import { useLibrary } from './library.ts'
import { useFolderLoader } from './use-folder-loader.ts'

export interface TargetProps {
  readonly kind: 'move' | 'copy' | 'restore' | 'incoming'
  readonly names: readonly string[]
  readonly hasFolder: boolean
  readonly from: string
  readonly onChoose: (target: string, groupId: number) => void
  readonly onClose: () => void
}

/**
 * Chooses the folder that rows are moved or copied to: in the place that is shown, or in another one of the space. What was
 * deleted comes back to the place it is from; what comes from outside goes wherever the account may upload.
 */
export function TargetDialog(props: TargetProps) {
  const { kind, names, from, onChoose, onClose } = props
  const texts = useTexts()
  const shown = useFilesServices().place.groupId
  const places = useTargetPlaces(props)
  const [groupId, setGroupId] = useState(() => firstOf(places, shown))
  const [folder, setFolder] = useState(from)
  const [isMaking, setMaking] = useState(false)
  const target = places.find((place) => place.groupId === groupId)
  const isHere = groupId === shown && folder === from
  const choosePlace = (next: number): void => {
    setGroupId(next)
    setFolder(next === shown ? from : '/')
    setMaking(false)
  }
  return (
    <Dialog
      title={texts(`${kind}.title`, { count: names.length, name: names[0] ?? '' })}
      closeLabel={texts('common.close')}
      onClose={onClose}
      foot={
        <>
          {target !== undefined && mayThere('new-folder', target) && !isMaking && (
            <Button kind="quiet" className={styles['atStart']} onClick={() => setMaking(true)}>
              <FolderPlus size={18} aria-hidden="true" />
              {texts('action.new-folder')}
            </Button>
          )}
          <Button onClick={onClose}>{texts('common.cancel')}</Button>
          <Button
            kind="solid"
            disabled={target === undefined || (kind === 'move' && isHere)}
            onClick={() => onChoose(folder, groupId)}
          >
            {texts(`${kind}.submit`)}
          </Button>
        </>
      }
    >
      {places.length > 1 && <PlaceField places={places} groupId={groupId} onChange={choosePlace} />}
      <InPlace groupId={groupId} group={target?.group}>
        <Folders
          key={groupId}
          folder={folder}
          onSelect={setFolder}
          isMaking={isMaking}
          onMade={() => setMaking(false)}
          // What is moved cannot go into itself.
          sources={new Set(kind !== 'incoming' && groupId === shown ? names.map((name) => joinPath(from, name)) : [])}
        />
      </InPlace>
    </Dialog>
  )
}

/** The place that is shown, unless nothing may come there. */
function firstOf(places: readonly TargetPlace[], shown: number): number {
  return places.some(({ groupId }) => groupId === shown) ? shown : (places[0]?.groupId ?? shown)
}

interface InPlaceProps {
  readonly groupId: number
  readonly group: GroupEntry | undefined
  readonly children: ReactNode
}

/** The file services of a place of the space that is shown. */
function InPlace({ groupId, group, children }: InPlaceProps) {
  const services = useFilesServices()
  const value = useMemo(() => {
    const { group: _shown, ...others } = services
    const place = { ...services.place, groupId }
    return group === undefined ? { ...others, place } : { ...others, place, group }
  }, [services, groupId, group])
  return <FilesServicesProvider value={value}>{children}</FilesServicesProvider>
}

interface FoldersProps {
  readonly folder: string
  readonly onSelect: (folder: string) => void
  readonly isMaking: boolean
  readonly onMade: () => void
  readonly sources: ReadonlySet<string>
}

function Folders({ folder, onSelect, isMaking, onMade, sources }: FoldersProps) {
  const texts = useTexts()
  const { rootName, address } = useLibrary()
  const loadFolders = useFolderLoader()
  // The tree is read anew after a folder was made, open where it is.
  const [made, setMade] = useState(folder)
  return (
    <>
      <Breadcrumb
        folder={folder}
        rootName={rootName}
        onOpen={onSelect}
        hrefOf={(path) => folderHref(address, { ...BY_NAME, folder: path })}
      />
      {isMaking && (
        <NewFolderLine
          folder={folder}
          onMade={(path) => {
            onMade()
            onSelect(path)
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
        onSelect={onSelect}
        isDisabled={(path) => sources.has(path)}
        icon={<Folder size={18} aria-hidden="true" />}
      />
    </>
  )
}

interface TargetPlace {
  readonly groupId: number
  /** Left out for one's own files. */
  readonly group: GroupEntry | undefined
  readonly permission: number
}

function mayThere(action: 'new-folder' | 'upload-files', { group, permission }: TargetPlace): boolean {
  const page = group === undefined ? 'personal' : 'group'
  return offersFileAction(action, {
    page,
    permission,
    selection: NO_SELECTION,
    canUseWebTransfer: true,
    canUseClientTransfer: false,
    canSync: false,
  })
}

/** The place that is shown, and those of the space that take what may leave it. */
function useTargetPlaces({ kind, hasFolder }: TargetProps): readonly TargetPlace[] {
  const { place } = useFilesServices()
  const { user } = useAccount()
  const { permission } = useLibrary()
  const all = [
    { groupId: 0, group: undefined, permission: user.permission },
    ...user.groupList.map((group) => ({ groupId: group.groupId, group, permission: group.userGroupPermission })),
  ]
  if (kind === 'restore') return all.filter(({ groupId }) => groupId === place.groupId)
  if (kind === 'incoming') return all.filter((target) => mayThere('upload-files', target))
  const isOpen = mayLeave(permission, { kind, hasFolder })
  return all.filter(
    (target) =>
      target.groupId === place.groupId ||
      (isOpen && takesArrival(target.permission, { kind, hasFolder, isAcross: true })),
  )
}

interface PlaceFieldProps {
  readonly places: readonly TargetPlace[]
  readonly groupId: number
  readonly onChange: (groupId: number) => void
}

function PlaceField({ places, groupId, onChange }: PlaceFieldProps) {
  const texts = useTexts()
  return (
    <SelectField
      label={texts('picker.place')}
      value={groupId}
      onChange={(event) => onChange(Number(event.target.value))}
      choices={places.map((place) => ({
        value: String(place.groupId),
        label: place.group?.groupName ?? texts('files.root'),
      }))}
    />
  )
}

const BY_NAME: Omit<FolderView, 'folder'> = { orderBy: 'name', order: 'asc' }

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
      void refreshFolder(client, place, folder)
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
