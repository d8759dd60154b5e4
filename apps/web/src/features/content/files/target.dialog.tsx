import { CornerLeftUp } from 'lucide-react'
import { useState } from 'react'
import { joinPath, parentOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import styles from './dialogs.module.css'
import icons from './file-icons.module.css'
import { folderHref } from './folder-address.ts'
import { useFolder } from './folder-query.ts'
import { isFolder } from './listing.ts'

export interface TargetProps {
  readonly kind: 'move' | 'copy'
  readonly names: readonly string[]
  readonly from: string
  readonly onChoose: (target: string) => void
  readonly onClose: () => void
}

const FOLDERS_MAX = 500

/** Chooses the folder that rows are moved or copied to. */
export function TargetDialog({ kind, names, from, onChoose, onClose }: TargetProps) {
  const texts = useTexts()
  const [folder, setFolder] = useState(from)
  const { data, error } = useFolder({ folder, orderBy: 'name', order: 'asc' })
  const folders = (data?.names ?? []).filter((_, row) => isFolder(data?.types[row] ?? 0)).slice(0, FOLDERS_MAX)
  const isSource = (name: string): boolean => folder === from && names.includes(name)
  const values = { count: names.length, name: names[0] ?? '' }
  const hrefOf = (path: string): string => folderHref({ folder: path, orderBy: 'name', order: 'asc' })
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
      <Breadcrumb folder={folder} maxParts={4} onOpen={setFolder} hrefOf={hrefOf} />
      <FailureNotice failure={error} />
      <div className={styles['list']} role="group" aria-label={texts('picker.folders')}>
        {folder !== '/' && (
          <button type="button" className={styles['option']} onClick={() => setFolder(parentOf(folder))}>
            <CornerLeftUp size={18} aria-hidden="true" />
            {texts('picker.up')}
          </button>
        )}
        {folders.map((name) => (
          <button
            key={name}
            type="button"
            className={classNames(styles['option'], icons['icon'], icons['folder'])}
            disabled={isSource(name)}
            onClick={() => setFolder(joinPath(folder, name))}
          >
            <span translate="no">{name}</span>
          </button>
        ))}
        {data !== undefined && folders.length === 0 && folder === '/' && (
          <p className={styles['none']}>{texts('picker.empty')}</p>
        )}
      </div>
    </Dialog>
  )
}
