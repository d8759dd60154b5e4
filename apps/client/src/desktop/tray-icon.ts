import type { OverallState } from '@godwit/contract'

/** Width, height, and each point as alpha, red, green and blue. */
export type IconPixmap = readonly [number, number, readonly number[]]

const SIZE = 22
/** Green only while nothing is wrong. */
const COLOURS: Readonly<Record<OverallState, readonly [number, number, number]>> = {
  ...{ error: [0xcf, 0x13, 0x22], offline: [0xd4, 0x88, 0x06], asking: [0xd4, 0x88, 0x06], paused: [0x8c, 0x8c, 0x8c] },
  ...{ active: [0x16, 0x77, 0xff], idle: [0x38, 0x9e, 0x0d] },
}

/** A disc in the colour of the state, with soft edges. */
export function stateIcon(state: OverallState): IconPixmap {
  const points: number[] = []
  const middle = (SIZE - 1) / 2
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const inside = SIZE / 2 - 1 - Math.hypot(x - middle, y - middle)
      points.push(Math.round(255 * Math.min(1, Math.max(0, inside + 0.5))), ...COLOURS[state])
    }
  return [SIZE, SIZE, points]
}
