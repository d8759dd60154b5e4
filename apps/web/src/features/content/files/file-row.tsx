import { memo, type ReactNode } from 'react'
import { formatExactBytes, formatSize, formatTime, formatTimeExactly, splitName } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { fileIcon } from './file-icon.ts'
import styles from './file-grid.module.css'

export interface FileRowProps {
  readonly id: string
  readonly index: number
  /** Pixels from the start of the block of rows. */
  readonly offset: number
  readonly name: string
  readonly isFolder: boolean
  readonly size: number
  readonly time: number
  readonly isSelected: boolean
  readonly isFocused: boolean
  readonly isDropTarget: boolean
  readonly isBusy: boolean
  readonly isCut: boolean
  readonly isFavorite: boolean
  /** A change of it is shown that the server has not agreed to yet. */
  readonly isPending: boolean
  /** Address of a folder, so that it opens in a new tab like any link. */
  readonly href: string | undefined
  readonly isRoomy: boolean
  readonly isAnySelected: boolean
  /** Stands in place of the name while it is edited. */
  readonly editor?: ReactNode
}

/**
 * One row of the list. Events are handled by the grid, which reads the row from `data-row`; so a row is only its text,
 * nine nodes, and scrolling changes that text in place.
 */
export const FileRow = memo(function FileRow(props: FileRowProps) {
  const texts = useTexts()
  const { id, index, offset, name, isFolder, size, time, isSelected, isFocused, isDropTarget, isBusy, editor } = props
  const sizeText = isFolder ? '-' : formatSize(size, texts.locale)
  return (
    <div
      id={id}
      role="row"
      className={styles['row']}
      style={{ top: offset }}
      data-row={index}
      data-focused={isFocused || undefined}
      data-drop={isDropTarget || undefined}
      data-busy={isBusy || undefined}
      data-cut={props.isCut || undefined}
      data-favorite={props.isFavorite || undefined}
      data-pending={props.isPending || undefined}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
    >
      <div role="gridcell" className={styles['check']}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={texts('files.select-row', { name })}
        />
      </div>
      <div role="gridcell" className={classNames(styles['name'], fileIcon(name, isFolder))}>
        {editor ?? <NameLabel name={name} href={props.href} />}
        {props.isFavorite && <Hidden>{texts('files.favorite')}</Hidden>}
        {props.isRoomy ? null : (
          <span className={styles['meta']}>{`${formatTime(time)}${isFolder ? '' : ` · ${sizeText}`}`}</span>
        )}
      </div>
      {props.isRoomy && (
        <>
          <div
            role="gridcell"
            className={styles['size']}
            title={isFolder ? undefined : formatExactBytes(size, texts.locale)}
          >
            {sizeText}
          </div>
          <div role="gridcell" className={styles['time']} title={formatTimeExactly(time, texts.locale)}>
            {formatTime(time)}
          </div>
        </>
      )}
      <div role="gridcell" className={styles['actions']}>
        <button type="button" tabIndex={-1} data-menu aria-label={texts('files.row-actions', { name })} />
      </div>
    </div>
  )
})

/** The name of an entry, with its ending always in sight. */
export function NameLabel({ name, href }: { readonly name: string; readonly href: string | undefined }) {
  const [head, tail] = splitName(name)
  const inside =
    tail === '' ? (
      <span className={styles['head']}>{head}</span>
    ) : (
      <>
        <span className={styles['head']}>{head}</span>
        <span>{tail}</span>
      </>
    )
  return href === undefined ? (
    <span className={styles['label']} draggable translate="no" title={name}>
      {inside}
    </span>
  ) : (
    <a className={styles['label']} href={href} tabIndex={-1} draggable translate="no" title={name}>
      {inside}
    </a>
  )
}
