import { useId, useLayoutEffect, useState, type RefObject } from 'react'
import { coveredBottom } from '../../../lib/covered-bottom.ts'
import { joinPath } from '../../../lib/paths.ts'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useWindowing, type Windowing } from '../../../lib/use-windowing.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import gridStyles from './file-grid.module.css'
import { onRowClick, onRowDoubleClick, onRowMenu } from './grid-events.ts'
import { GridHead } from './grid-head.tsx'
import { type FileGridProps, HEAD_HEIGHT, listRowHeight, OVERSCAN } from './grid-props.ts'
import { entryAt, isFolder } from './listing.ts'
import { RenameField } from './rename-field.tsx'
import { bandOf, isSelected, selectedCount } from './selection.ts'
import { Tile } from './tile.tsx'
import { keyedTile, tileAt, tileShape, tilesIn, type TileShape } from './tile-shape.ts'
import styles from './tiles.module.css'
import { useDrawn } from './use-drawn.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useRubberBand } from './use-rubber-band.tsx'

/** The entries of a folder as tiles: the list's grid in two dimensions, with the same selection, keys and menus. */
export function FileTiles(props: FileGridProps) {
  const { listing, selection, isRoomy, gridRef, onSelect } = props
  const texts = useTexts()
  const id = useId()
  const shape = useTileShape(gridRef, isRoomy)
  const { windowing, covered } = useTileWindowing(props, shape)
  const total = listing.total
  const band = useRubberBand({
    ...{ gridRef, windowing, selection, onSelect },
    rowHeight: shape.rowHeight,
    select: (before, corners, adds) => bandOf(before, tilesIn(shape, corners, total), adds),
  })
  const rowAt = (clientY: number, clientX: number): number => {
    const box = gridRef.current?.getBoundingClientRect()
    if (box === undefined) return -1
    const y = clientY - box.top - HEAD_HEIGHT + windowing.top()
    return tileAt(shape, { x: clientX - box.left, y }, total)
  }
  useDrawn(props.onDrawn)
  const drag = useRowDrag({ listing, selection, onSelect, onMove: props.onMove, rowAt })
  const { columns } = shape
  const rowsPerPage = Math.max(1, Math.floor(windowing.viewport / shape.rowHeight))
  const onKeyDown = useGridKeys(props, {
    show: (tile) => windowing.show(Math.floor(tile / columns)),
    step: (focus, key) => keyedTile(focus, key, { count: total, columns, rowsPerPage }),
  })
  const focusRow = Math.floor(selection.focus / columns)
  const isFocusShown = selection.focus >= 0 && focusRow >= windowing.first && focusRow < windowing.end
  const count = selectedCount(selection, total)
  return (
    <>
      <div
        ref={gridRef}
        role="grid"
        className={gridStyles['grid']}
        tabIndex={0}
        aria-multiselectable="true"
        aria-rowcount={Math.ceil(total / columns) + 1}
        aria-colcount={columns}
        aria-label={texts('files.grid', { folder: props.folderName })}
        aria-describedby={`${id}-caption`}
        aria-activedescendant={isFocusShown && props.renaming === undefined ? `${id}-${selection.focus}` : undefined}
        data-testid="file-grid"
        data-layout="tiles"
        onKeyDown={onKeyDown}
        onClick={(event) => onRowClick(event, props, band.justDragged())}
        onDoubleClick={(event) => onRowDoubleClick(event, props)}
        onContextMenu={(event) => onRowMenu(event, props)}
        onPointerDown={band.onPointerDown}
        {...drag.handlers}
      >
        <GridHead {...props} isRoomy={false} selectedCount={count} />
        <div
          className={gridStyles['body']}
          role="rowgroup"
          style={{ height: windowing.height, marginBlockEnd: covered }}
        >
          <div
            className={gridStyles['rows']}
            role="presentation"
            style={{ transform: `translateY(${windowing.shift}px)` }}
          >
            <TileRows {...props} windowing={windowing} shape={shape} id={id} dropRow={drag.target} />
          </div>
          {band.element}
        </div>
        <span id={`${id}-caption`} hidden>
          {texts('files.caption')}
        </span>
      </div>
      <Hidden live>{count > 1 ? texts('files.selected', { count }) : ''}</Hidden>
    </>
  )
}

/** Follows the width of the list. */
function useTileShape(gridRef: RefObject<HTMLDivElement | null>, isRoomy: boolean): TileShape {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const grid = gridRef.current
    if (grid === null) return undefined
    const measure = (): void => setWidth(grid.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(grid)
    return () => observer.disconnect()
  }, [gridRef])
  return tileShape(width, isRoomy)
}

/** Rows of tiles as the lines of a window. The place in the folder is kept in pixels of the list, so that both layouts share it. */
function useTileWindowing({ listing, gridRef, isRoomy, initialTop, windowingRef }: FileGridProps, shape: TileShape) {
  const { columns, rowHeight } = shape
  // The last row has the same room below as between rows.
  const covered = useStore(coveredBottom) + shape.gap
  const windowing = useWindowing(gridRef, {
    ...{ rowHeight, covered },
    count: Math.ceil(listing.total / columns),
    overscan: OVERSCAN - 1,
    headHeight: HEAD_HEIGHT,
  })
  const scale = (listRowHeight(isRoomy) * columns) / rowHeight
  const inList: Windowing = {
    ...windowing,
    top: () => windowing.top() * scale,
    scrollTo: (top) => windowing.scrollTo(top / scale),
  }
  // Another width has other columns; what was at the top stays there.
  const [place, setPlace] = useState({ scale: 0, top: initialTop })
  const isMeasured = windowing.viewport > 0
  useLayoutEffect(() => {
    if (!isMeasured || place.scale === scale) return
    const top = place.scale === 0 ? place.top : windowing.top() * place.scale
    windowing.scrollTo(top / scale)
    setPlace({ scale, top })
  }, [isMeasured, place, scale, windowing])
  windowingRef.current = inList
  return { windowing, covered }
}

interface TileRowsProps extends FileGridProps {
  readonly windowing: Windowing
  readonly shape: TileShape
  readonly id: string
  readonly dropRow: number
}

/** The rows of tiles that are visible, and one beyond either edge. */
function TileRows({ windowing, shape, id, dropRow, ...props }: TileRowsProps) {
  const { columns, gap, rowHeight } = shape
  const { first, end, base } = windowing
  const rows = []
  for (let row = first; row < end; row++) {
    const tiles = []
    const last = Math.min(props.listing.total, (row + 1) * columns)
    for (let index = row * columns; index < last; index++) {
      tiles.push(
        tileOf(props, { id: `${id}-${index}`, index, column: (index % columns) + 1, isDropTarget: dropRow === index }),
      )
    }
    const style = {
      top: (row - base) * rowHeight,
      gap,
      padding: `${gap}px ${gap}px 0`,
      gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    }
    rows.push(
      <div key={row} role="row" className={styles['row']} aria-rowindex={row + 2} style={style}>
        {tiles}
      </div>,
    )
  }
  return rows
}

interface TilePlace {
  readonly id: string
  readonly index: number
  readonly column: number
  readonly isDropTarget: boolean
}

function tileOf(props: FileGridProps, { id, index, column, isDropTarget }: TilePlace) {
  const { listing, selection } = props
  const entry = entryAt(listing, index)
  const name = entry?.name ?? ''
  const folder = entry !== undefined && isFolder(entry.type)
  const draft = entry !== undefined && props.renaming?.row === index ? props.renaming.draft : undefined
  return (
    <Tile
      key={index}
      {...{ id, index, column, name, isDropTarget }}
      isFolder={folder}
      isBusy={entry === undefined}
      size={entry?.size ?? 0}
      time={entry?.time ?? 0}
      path={joinPath(props.view.folder, name)}
      isSelected={isSelected(selection, index)}
      isFocused={selection.focus === index}
      isCut={props.cut.has(name)}
      isFavorite={props.favorites.has(name)}
      isPending={entry !== undefined && listing.pendingName === entry.name}
      href={folder ? props.hrefOf(name) : undefined}
      editor={
        draft !== undefined ? (
          <RenameField
            key={name}
            name={name}
            draftRef={draft}
            isFolder={folder}
            isTaken={(wanted) => listing.names.includes(wanted)}
            onCommit={(wanted) => props.onRename(index, wanted)}
            onCancel={props.onRenameEnd}
          />
        ) : undefined
      }
    />
  )
}
