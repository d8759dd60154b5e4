import { useEffect, useRef } from 'react'
import { neighboursOf, Preview } from '../preview/index.ts'
import { type CommandDeps, downloadPaths } from './file-commands.ts'
import { only } from './selection.ts'
import type { FolderList } from './use-folder-list.ts'

export interface FilePreviewProps {
  readonly list: FolderList
  readonly deps: CommandDeps
  /** On a phone a selection would make the next tap select instead of open. */
  readonly isRoomy: boolean
}

/** The file that the address names, over its list. The list follows: it stands at the file that was last looked at. */
export function FilePreview({ list, deps, isRoomy }: FilePreviewProps) {
  const { preview, listing, isFolderAt, pathOf } = list
  const { name } = preview
  const row = name === undefined ? -1 : listing.names.indexOf(name)
  const select = useRef(list.select)
  select.current = list.select
  useEffect(() => {
    if (row >= 0 && isRoomy) select.current(only(row))
  }, [row, isRoomy])
  if (name === undefined) return null
  const path = pathOf(name)
  return (
    <Preview
      operate={deps.operate}
      place={deps.place}
      path={path}
      name={name}
      neighbours={neighboursOf({ names: listing.names, isFile: (at) => !isFolderAt(at) }, name)}
      onTurn={preview.turn}
      onDownload={() => void downloadPaths(deps, [path])}
      onClose={preview.close}
    />
  )
}
