import { type RefObject, useId } from 'react'
import { coveredBottom } from '../../../lib/covered-bottom.ts'
import { keyedRow } from '../../../lib/list-keys.ts'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { useWindowing, type Windowing } from '../../../lib/use-windowing.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import styles from './file-grid.module.css'
import { onRowClick, onRowDoubleClick, onRowMenu } from './grid-events.ts'
import { GridHead } from './grid-head.tsx'
import { type FileGridProps, HEAD_HEIGHT, listRowHeight, OVERSCAN } from './grid-props.ts'
import { GridRows } from './grid-rows.tsx'
import { selectedCount } from './selection.ts'
import { useDrawn } from './use-drawn.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useRowDrag } from './use-row-drag.ts'
import { rowBand, useRubberBand } from './use-rubber-band.tsx'

/** The list of a folder as one accessible grid: one tab stop, the focused row named by `aria-activedescendant`. */
export function FileGrid(props: FileGridProps) {
  const { listing, selection, isRoomy, gridRef, windowingRef, onSelect } = props
  const texts = useTexts()
  const id = useId()
  const rowHeight = listRowHeight(isRoomy)
  const covered = useStore(coveredBottom)
  const windowing = useWindowing(gridRef, {
    count: listing.total,
    rowHeight,
    overscan: OVERSCAN,
    headHeight: HEAD_HEIGHT,
    initialTop: props.initialTop,
    covered,
  })
  windowingRef.current = windowing
  const rowAt = useRowAt(gridRef, windowing, rowHeight)
  const band = useRubberBand({
    ...{ gridRef, windowing, rowHeight, selection, onSelect },
    select: rowBand({ rowHeight, total: listing.total }),
  })
  useDrawn(props.onDrawn)
  const drag = useRowDrag({ listing, selection, onSelect, onMove: props.onMove, rowAt })
  const rowsPerPage = Math.max(1, Math.floor(windowing.viewport / rowHeight) - 1)
  const onKeyDown = useGridKeys(props, {
    show: windowing.show,
    step: (focus, key) => keyedRow(focus, key, { count: listing.total, rowsPerPage }),
  })
  const focusedShown = selection.focus >= windowing.first && selection.focus < windowing.end
  const count = selectedCount(selection, listing.total)
  return (
    <>
      <div
        ref={gridRef}
        role="grid"
        className={styles['grid']}
        tabIndex={0}
        aria-multiselectable="true"
        aria-rowcount={listing.total + 1}
        aria-colcount={isRoomy ? 5 : 3}
        aria-label={texts('files.grid', { folder: props.folderName })}
        aria-describedby={`${id}-caption`}
        aria-activedescendant={focusedShown && props.renaming === undefined ? `${id}-${selection.focus}` : undefined}
        data-testid="file-grid"
        onKeyDown={onKeyDown}
        onClick={(event) => onRowClick(event, props, band.justDragged())}
        onDoubleClick={(event) => onRowDoubleClick(event, props)}
        onContextMenu={(event) => onRowMenu(event, props)}
        onPointerDown={band.onPointerDown}
        {...drag.handlers}
      >
        <GridHead {...props} selectedCount={count} />
        <div className={styles['body']} role="rowgroup" style={{ height: windowing.height, marginBlockEnd: covered }}>
          <div className={styles['rows']} role="presentation" style={{ transform: `translateY(${windowing.shift}px)` }}>
            <GridRows
              {...props}
              windowing={windowing}
              rowHeight={rowHeight}
              id={id}
              dropRow={drag.target}
              count={count}
            />
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

function useRowAt(gridRef: RefObject<HTMLDivElement | null>, windowing: Windowing, rowHeight: number) {
  return (clientY: number): number => {
    const box = gridRef.current?.getBoundingClientRect()
    return box === undefined ? -1 : Math.floor((clientY - box.top - HEAD_HEIGHT + windowing.top()) / rowHeight)
  }
}
