import type { Windowing } from '../../../lib/use-windowing.ts'
import { FileRow } from './file-row.tsx'
import { type FileGridProps, OVERSCAN } from './grid-props.ts'
import { entryAt, isFolder } from './listing.ts'
import { RenameField } from './rename-field.tsx'
import { isSelected } from './selection.ts'

export interface GridRowsProps extends FileGridProps {
  readonly windowing: Windowing
  readonly rowHeight: number
  readonly id: string
  readonly dropRow: number
  readonly count: number
}

/** The rows that are visible, and a few beyond. */
export function GridRows({ windowing, rowHeight, id, dropRow, count, ...props }: GridRowsProps) {
  const { listing, selection, renaming } = props
  const { first, end, base } = windowing
  // As many slots as rows fit: a row that leaves at one end is reused for the one that comes at the other.
  const slots = Math.ceil(windowing.viewport / rowHeight) + 2 * OVERSCAN + 1
  const rows = []
  for (let index = first; index < end; index++) {
    const entry = entryAt(listing, index)
    const folder = entry !== undefined && isFolder(entry.type)
    const name = entry?.name ?? ''
    rows.push(
      <FileRow
        key={index % slots}
        id={`${id}-${index}`}
        index={index}
        offset={(index - base) * rowHeight}
        name={name}
        isFolder={folder}
        size={entry?.size ?? -1}
        time={entry?.time ?? 0}
        isSelected={isSelected(selection, index)}
        isFocused={selection.focus === index}
        isDropTarget={dropRow === index}
        isBusy={entry === undefined}
        isCut={props.cut.has(name)}
        isFavorite={props.favorites.has(name)}
        isPending={entry !== undefined && listing.pendingName === entry.name}
        href={folder ? props.hrefOf(name) : undefined}
        isRoomy={props.isRoomy}
        isAnySelected={count > 0}
        editor={
          renaming?.row === index && entry !== undefined ? (
            <RenameField
              key={name}
              name={name}
              draftRef={renaming.draft}
              isFolder={folder}
              isTaken={(wanted) => listing.names.includes(wanted)}
              onCommit={(wanted) => props.onRename(index, wanted)}
              onCancel={props.onRenameEnd}
            />
          ) : undefined
        }
      />,
    )
  }
  return rows
}
