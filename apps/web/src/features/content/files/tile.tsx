import { memo, type ReactNode } from 'react'
import { formatSize } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { fileIcon } from './file-icon.ts'
import { NameLabel } from './file-row.tsx'
import styles from './tiles.module.css'
import { useThumbnail } from './use-thumbnail.ts'

export interface TileProps {
  readonly id: string
  readonly index: number
  /** From 1. */
  readonly column: number
  readonly name: string
  readonly isFolder: boolean
  readonly size: number
  readonly time: number
  /** Its page of the list has not come yet. */
  readonly isBusy: boolean
  readonly path: string
  readonly isSelected: boolean
  readonly isFocused: boolean
  readonly isDropTarget: boolean
  readonly isCut: boolean
  readonly isFavorite: boolean
  readonly isPending: boolean
  readonly href: string | undefined
  /** Stands in place of the name while it is edited. */
  readonly editor: ReactNode
}

/** One entry with its picture, or the shape of its kind. Events are handled by the grid, as those of a row are. */
export const Tile = memo(function Tile(props: TileProps) {
  const texts = useTexts()
  const { id, index, column, name, isFolder, size, time, isBusy, isSelected, editor } = props
  const picture = useThumbnail({ path: props.path, size, time, isFile: !isFolder && !isBusy })
  return (
    <div
      id={id}
      role="gridcell"
      className={styles['tile']}
      data-row={index}
      data-focused={props.isFocused || undefined}
      data-drop={props.isDropTarget || undefined}
      data-busy={isBusy || undefined}
      data-cut={props.isCut || undefined}
      data-favorite={props.isFavorite || undefined}
      data-pending={props.isPending || undefined}
      aria-colindex={column}
      aria-selected={isSelected}
    >
      <div className={classNames(styles['picture'], picture === undefined && fileIcon(name, isFolder))} draggable>
        {picture !== undefined && <img key={picture} src={picture} alt="" draggable={false} decoding="async" />}
      </div>
      <label className={styles['check']}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={texts('files.select-row', { name })}
        />
      </label>
      <div className={styles['actions']}>
        <button type="button" tabIndex={-1} data-menu aria-label={texts('files.row-actions', { name })} />
      </div>
      <div className={styles['name']}>
        {editor ?? <NameLabel name={name} href={props.href} />}
        {props.isFavorite && <Hidden>{texts('files.favorite')}</Hidden>}
      </div>
      <div className={styles['meta']}>
        {isBusy || isFolder || editor !== undefined ? '' : formatSize(size, texts.locale)}
      </div>
    </div>
  )
})
