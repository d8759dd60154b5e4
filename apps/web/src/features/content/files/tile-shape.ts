/** How tiles fill the width of the list. Lengths are pixels. */
export interface TileShape {
  readonly columns: number
  /** Between the edge of the list and the first tile, from tile to tile, and above each row of them. */
  readonly gap: number
  readonly tileWidth: number
  /** From the top of one row of tiles to that of the next. */
  readonly rowHeight: number
}

const ROOMY = { gap: 12, minWidth: 164, rowHeight: 204 } as const
/** Two columns on a phone, three on a small tablet. */
const NARROW = { gap: 8, minWidth: 150, rowHeight: 188 } as const

export function tileShape(width: number, isRoomy: boolean): TileShape {
  const { gap, minWidth, rowHeight } = isRoomy ? ROOMY : NARROW
  const columns = Math.max(isRoomy ? 1 : 2, Math.floor((width - gap) / (minWidth + gap)))
  return { columns, gap, rowHeight, tileWidth: Math.max(0, (width - gap) / columns - gap) }
}

export interface Point {
  readonly x: number
  /** In the full list. */
  readonly y: number
}

/** The tile at a point; -1 between tiles and beyond them. */
export function tileAt({ columns, gap, tileWidth, rowHeight }: TileShape, { x, y }: Point, total: number): number {
  const column = Math.floor((x - gap) / (tileWidth + gap))
  const isBetween = x - gap - column * (tileWidth + gap) > tileWidth || y % rowHeight < gap
  if (column < 0 || column >= columns || y < 0 || isBetween) return -1
  const tile = Math.floor(y / rowHeight) * columns + column
  return tile < total ? tile : -1
}

/** The tiles that a band between two corners touches, in the order of the list. */
export function tilesIn(shape: TileShape, [one, other]: readonly [Point, Point], total: number): readonly number[] {
  const { columns, gap, tileWidth, rowHeight } = shape
  const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)]
  const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)]
  const touched: number[] = []
  const firstRow = Math.max(0, Math.floor(top / rowHeight))
  for (let row = firstRow; row * rowHeight + gap <= bottom && row * columns < total; row++) {
    for (let column = 0; column < columns; column++) {
      const start = gap + column * (tileWidth + gap)
      const tile = row * columns + column
      if (start <= right && start + tileWidth >= left && tile < total) touched.push(tile)
    }
  }
  return touched
}

export interface TileExtent {
  readonly count: number
  readonly columns: number
  /** Rows of tiles that a page key moves by. */
  readonly rowsPerPage: number
}

/**
 * The tile that a key leads to.
 * @param focus -1 without one
 * @returns undefined when the key does not move
 */
export function keyedTile(focus: number, key: string, { count, columns, rowsPerPage }: TileExtent): number | undefined {
  const last = count - 1
  const from = Math.max(0, focus)
  const down = (rows: number): number => {
    // Below the last whole row there may be fewer tiles.
    const rowsBelow = Math.floor(last / columns) - Math.floor(from / columns)
    return rowsBelow === 0 ? from : Math.min(last, from + Math.min(rows, rowsBelow) * columns)
  }
  const up = (rows: number): number => from - Math.min(rows, Math.floor(from / columns)) * columns
  if (focus < 0 && /^Arrow/.test(key)) return key === 'ArrowUp' || key === 'ArrowLeft' ? last : 0
  switch (key) {
    case 'ArrowRight':
      return Math.min(last, from + 1)
    case 'ArrowLeft':
      return Math.max(0, from - 1)
    case 'ArrowDown':
      return down(1)
    case 'ArrowUp':
      return up(1)
    case 'PageDown':
      return down(rowsPerPage)
    case 'PageUp':
      return up(rowsPerPage)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
