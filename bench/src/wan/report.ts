import { type Cell, nameOf } from './cells.ts'
import type { Measurement } from './measure.ts'

/** The middle of the runs of one method in one cell, by whole share. */
export interface CellResult extends Measurement {
  readonly runs: number
  /** Smallest and largest whole share of the runs. */
  readonly range: readonly [number, number]
}

export function medianOf(runs: readonly Measurement[]): CellResult {
  const sorted = runs.toSorted((a, b) => a.wholeShare - b.wholeShare)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  if (middle === undefined) throw new Error('no runs')
  return { ...middle, runs: runs.length, range: [sorted[0]?.wholeShare ?? 0, sorted.at(-1)?.wholeShare ?? 0] }
}

/** One row a method, one column a cell: whole / steady share of the line's limit. `c`: a core was full. `*`: stopped early. */
export function shareTable(results: readonly CellResult[]): string {
  const cells = distinct(results.map(({ cell }) => nameOf(cell)))
  const methods = distinct(results.map(({ method }) => method))
  const head = `| method | ${cells.join(' | ')} |`
  const rule = `|---|${cells.map(() => '---:').join('|')}|`
  const rows = methods.map((method) => {
    const columns = cells.map((cell) => {
      const found = results.find((one) => one.method === method && nameOf(one.cell) === cell)
      return found === undefined ? '' : describeShare(found)
    })
    return `| ${method} | ${columns.join(' | ')} |`
  })
  return [head, rule, ...rows].join('\n')
}

function describeShare(one: CellResult): string {
  const steady = one.steadyShare === undefined ? '' : ` / ${one.steadyShare.toFixed(3)}`
  return `${one.wholeShare.toFixed(3)}${steady}${one.isCpuBound ? ' c' : ''}${one.isComplete ? '' : ' *'}`
}

/** What it cost: CPU seconds per Gbit of both ends, MiB of both ends, bytes on the line per byte of file. */
export function costTable(results: readonly CellResult[]): string {
  const rows = results.map(
    (one) =>
      `| ${nameOf(one.cell)} | ${one.method} | ${one.cpuSecondsPerGbit.toFixed(2)} | ${one.memoryMiB.toFixed(0)} | ${one.lineBytesPerByte.toFixed(3)} |`,
  )
  return ['| cell | method | CPU s/Gbit | MiB | line bytes / byte |', '|---|---|---:|---:|---:|', ...rows].join('\n')
}

const COLOURS = [
  '#fd5c1f',
  '#c33c00',
  '#ffa27d',
  '#8a8f98',
  '#4f6d8f',
  '#b0b5bd',
  '#7a97b8',
  '#5c9e6f',
  '#a06fb0',
  '#c9a13b',
]
const BAR = 10
const LEFT = 150
const WIDTH = 620

/** Grouped bars, one group a cell: whole share of the limit. */
export function sharesSvg(results: readonly CellResult[]): string {
  const cells = distinct(results.map(({ cell }) => nameOf(cell)))
  const methods = distinct(results.map(({ method }) => method))
  const colourOf = (method: string): string => COLOURS[methods.indexOf(method) % COLOURS.length] ?? '#888'
  const parts: string[] = []
  let y = 70
  for (const cell of cells) {
    const group = results.filter((one) => nameOf(one.cell) === cell)
    parts.push(text({ x: LEFT - 8, y: y + (group.length * BAR) / 2 + 4, anchor: 'end' }, cellTitle(group[0]?.cell)))
    for (const one of group) {
      const length = Math.max(1, Math.min(1.05, one.wholeShare) * WIDTH)
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${length.toFixed(1)}" height="${BAR - 2}" fill="${colourOf(one.method)}"/>`,
      )
      parts.push(text({ x: LEFT + length + 4, y: y + BAR - 2, size: 8 }, one.wholeShare.toFixed(2)))
      y += BAR
    }
    y += 12
  }
  const legend = methods.map((method, index) => {
    const x = LEFT + (index % 5) * 120
    const top = 28 + Math.floor(index / 5) * 16
    return `<rect x="${x}" y="${top}" width="10" height="10" fill="${colourOf(method)}"/>${text({ x: x + 14, y: top + 9 }, method)}`
  })
  const grid = [0.25, 0.5, 0.75, 1].map(
    (share) => `<line x1="${LEFT + share * WIDTH}" x2="${LEFT + share * WIDTH}" y1="62" y2="${y}" stroke="#ddd"/>`,
  )
  const title = text({ x: LEFT, y: 18, size: 13 }, 'Whole file on disk and verified, share of what the line can carry')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 60}" height="${y + 10}" font-family="sans-serif">
<rect width="100%" height="100%" fill="#fff"/>${[title, ...legend, ...grid, ...parts].join('\n')}</svg>\n`
}

function text(at: { x: number; y: number; anchor?: string; size?: number }, words: string): string {
  return `<text x="${at.x.toFixed(1)}" y="${at.y.toFixed(1)}" font-size="${at.size ?? 11}" text-anchor="${at.anchor ?? 'start'}" fill="#333">${words}</text>`
}

function cellTitle(cell: Cell | undefined): string {
  return cell === undefined ? '' : `${cell.rateMbit} Mbit/s, ${cell.rttMs} ms, ${cell.lossPercent} %`
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
