import type { ReactNode } from 'react'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { nameOf } from '../../../lib/paths.ts'
import type { CommandDeps } from './file-commands.ts'
import type { Subject } from './details-subject.ts'
import styles from './files.page.module.css'
import { useLibrary } from './library.ts'
import { entryAt, isFolder } from './listing.ts'
import type { FilesScreen } from './use-files-screen.ts'
import type { FolderList } from './use-folder-list.ts'

const DetailsPanel = lazyWindow(
  lazyModule(() => import('./details.panel.tsx'), 'files'),
  (module) => module.DetailsPanel,
)

export interface DetailsSideProps {
  readonly list: FolderList
  readonly screen: FilesScreen
  readonly deps: CommandDeps
  readonly isWide: boolean
  readonly children: ReactNode
}

/** The list, with the details of what is selected beside it while they are wanted; on a narrow page they come over it. */
export function WithDetails({ list, screen, deps, isWide, children }: DetailsSideProps) {
  const { rootName } = useLibrary()
  return (
    <div className={styles['content']}>
      {children}
      {screen.details.isOpen && (
        <DetailsPanel
          subject={subjectOf(list, rootName)}
          deps={deps}
          isSheet={!isWide}
          onVersions={() => screen.show({ kind: 'versions', row: list.rows()[0] ?? -1 })}
          onClose={() => {
            screen.details.close()
            screen.gridRef.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** The selected entry, all selected ones, or the folder that is open. */
function subjectOf(list: FolderList, rootName: string): Subject {
  const { view, listing } = list
  const row = list.count === 1 ? list.rows()[0] : undefined
  const entry = row === undefined ? undefined : entryAt(listing, row)
  if (entry !== undefined) {
    const { name, type, size, time } = entry
    return {
      kind: 'one',
      path: list.pathOf(name),
      name,
      isFolder: isFolder(type),
      size,
      time,
      state: `${time} ${size}`,
    }
  }
  if (list.count > 0) return { kind: 'many', count: list.count, bytes: list.bytes }
  const name = view.folder === '/' ? rootName : nameOf(view.folder)
  return { kind: 'one', path: view.folder, name, isFolder: true, size: 0, time: undefined, state: listing.version }
}
