import { describe, expect, it } from 'vitest'
import { keyedTile, tileAt, tileShape, tilesIn } from './tile-shape.ts'

const shape = tileShape(716, true)

describe('the shape of tiles', () => {
  it('fills the width: four on 716 px, two on a phone, one at least', () => {
    expect(shape).toEqual({ columns: 4, gap: 12, tileWidth: 164, rowHeight: 204 })
    expect([320, 390, 600].map((width) => tileShape(width, false).columns)).toEqual([2, 2, 3])
    expect(tileShape(0, true)).toMatchObject({ columns: 1, tileWidth: 0 })
  })

  it('knows the tile at a point, and what lies between tiles', () => {
    expect(tileAt(shape, { x: 20, y: 15 }, 10)).toBe(0)
    expect(tileAt(shape, { x: 190, y: 220 }, 10)).toBe(5)
    expect(
      [
        { x: 5, y: 15 },
        { x: 178, y: 15 },
        { x: 20, y: 210 },
        { x: 715, y: 15 },
        { x: 20, y: -3 },
      ].map((point) => tileAt(shape, point, 10)),
    ).toEqual([-1, -1, -1, -1, -1])
    expect(tileAt(shape, { x: 400, y: 420 }, 10)).toBe(-1)
  })

  it('says which tiles a band touches, from whatever corner it was drawn', () => {
    const [one, other] = [
      { x: 178, y: 100 },
      { x: 500, y: 230 },
    ]
    expect(tilesIn(shape, [one, other], 10)).toEqual([1, 2, 5, 6])
    expect(tilesIn(shape, [other, one], 6)).toEqual([1, 2, 5])
    expect(
      tilesIn(
        shape,
        [
          { x: 0, y: 600 },
          { x: 9, y: 700 },
        ],
        10,
      ),
    ).toEqual([])
  })
})

describe('keys among tiles', () => {
  const keyed = (focus: number, key: string) => keyedTile(focus, key, { count: 10, columns: 4, rowsPerPage: 2 })

  it.each([
    ['ArrowRight', 3, 4],
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 9, 9],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 6, 9],
    ['ArrowDown', 8, 8],
    ['ArrowUp', 5, 1],
    ['ArrowUp', 2, 2],
    ['PageDown', 1, 9],
    ['PageDown', 0, 8],
    ['PageUp', 9, 1],
    ['PageUp', 3, 3],
    ['Home', 7, 0],
    ['End', 0, 9],
    ['ArrowDown', -1, 0],
    ['ArrowUp', -1, 9],
  ])('%s goes from %i to %i', (key, from, to) => expect(keyed(from, key)).toBe(to))

  it('leaves other keys to others', () => expect(keyed(1, 'a')).toBeUndefined())
})
