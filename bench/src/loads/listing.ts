import fs from 'node:fs'
import path from 'node:path'
import type { Measured, Table } from '../figures.ts'
import { startProgram } from '../rivals/node-program.ts'
import type { Rival } from '../rivals/rival.types.ts'
import { call } from '../wire.ts'
import type { LoadOptions } from './bytes.ts'

/** Subjects that need longer than this for one listing are left out of the larger folders, and the table says so by their absence. */
const PATIENCE_MS = 20_000

/** Listing of folders of growing size: first page and whole index. The first run of ours is cold: the server never saw the folder. */
export async function listingLoad({ rivals, work, runs }: LoadOptions, sizes: readonly number[]): Promise<Table[]> {
  const tables: Table[] = []
  const tired = new Set<string>()
  for (const size of sizes) {
    const rows: Measured[] = []
    // One folder for all, handed on by renaming: to make and remove a million entries takes longer than to list them.
    const entries = path.join(work, 'entries')
    makeEntries(entries, size)
    for (const rival of rivals) {
      if (!rival.list || tired.has(rival.name)) continue
      const big = path.join(rival.folder, 'big')
      fs.renameSync(entries, big)
      await rival.forget?.()
      const { first, whole } = await measure(rival, size, runs)
      fs.renameSync(big, entries)
      await rival.forget?.()
      rows.push(
        {
          subject: `${rival.name}: whole`,
          unit: 'ms',
          values: whole.length > 1 ? whole.slice(1) : whole,
          lessIsBetter: true,
        },
        ...(rival.name === 'godwit'
          ? [
              { subject: 'godwit: first page, cold', unit: 'ms', values: first.slice(0, 1), lessIsBetter: true },
              { subject: 'godwit: whole, cold', unit: 'ms', values: whole.slice(0, 1), lessIsBetter: true },
              { subject: 'godwit: first page', unit: 'ms', values: first.slice(1), lessIsBetter: true },
            ]
          : []),
      )
      if (Math.max(...whole) > PATIENCE_MS / 10) tired.add(rival.name)
    }
    rows.push(await bareNode(entries, runs))
    fs.rmSync(entries, { recursive: true })
    tables.push({ load: 'Listing', conditions: `${size} entries, ${runs} warm runs`, rows })
  }
  return tables
}

async function measure(rival: Rival, size: number, runs: number): Promise<{ first: number[]; whole: number[] }> {
  const first: number[] = []
  const whole: number[] = []
  for (let turn = 0; turn <= runs; turn++) {
    const listed = await rival.list?.('big')
    if (listed?.entries !== size) throw new Error(`${rival.name} listed ${listed?.entries} of ${size} entries`)
    first.push(listed.firstMs)
    whole.push(listed.wholeMs)
    // What takes so long needs no second figure.
    if (listed.wholeMs > PATIENCE_MS) break
  }
  return { first, whole }
}

async function bareNode(entries: string, runs: number): Promise<Measured> {
  const server = await startProgram('bare-listing.ts', path.dirname(entries))
  const values: number[] = []
  for (let turn = 0; turn <= runs; turn++) {
    const begun = performance.now()
    await call({ method: 'GET', url: `${server.url}/${path.basename(entries)}` })
    values.push(performance.now() - begun)
  }
  await server.end()
  return { subject: 'bare Node, readdir + lstat, unsorted', unit: 'ms', values: values.slice(1), lessIsBetter: true }
}

function makeEntries(folder: string, count: number): void {
  fs.mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) {
    fs.closeSync(fs.openSync(path.join(folder, `entry ${String(index).padStart(7, '0')}.dat`), 'w'))
  }
}
