import fs from 'node:fs'
import path from 'node:path'
import { GiB } from '@godwit/base'
import { cpuSeconds } from '../cpu.ts'
import type { Measured, Table } from '../figures.ts'
import { diskFileSpeed, diskWriteSpeed } from '../rivals/disk.ts'
import type { Rival } from '../rivals/rival.types.ts'
import { buildDrain } from '../wire.ts'

export interface LoadOptions {
  readonly rivals: readonly Rival[]
  /** Folder on the disk under measurement. */
  readonly work: string
  readonly runs: number
}

/** Upload of one file by every subject in turn, the disk's own limit last; turns alternate, so that drift hits all alike. */
export async function uploadLoad({ rivals, work, runs }: LoadOptions, size = 2 * GiB): Promise<Table> {
  const meters = rivals
    .filter(({ upload }) => upload)
    .map((rival) => ({ rival, values: [] as number[], cpu: [] as number[] }))
  const disk: number[] = []
  for (let turn = 0; turn < runs; turn++) {
    for (const { rival, values, cpu } of meters) {
      const before = cpuSeconds(rival.pid)
      const begun = performance.now()
      await rival.upload?.(`up-${turn}.bin`, size)
      values.push(size / 1e3 / (performance.now() - begun))
      cpu.push((cpuSeconds(rival.pid) - before) / (size / GiB))
      emptyFolder(rival.folder)
    }
    disk.push(await diskWriteSpeed(work, size))
  }
  const rows: Measured[] = meters.map(({ rival, values, cpu }) => ({
    subject: rival.name,
    unit: 'MB/s',
    values,
    cpuPerGiB: cpu,
  }))
  return {
    load: 'Upload',
    conditions: `one file of ${size / GiB} GiB over loopback, ${runs} runs`,
    rows: [...rows, { subject: 'limit: disk, 8 MiB + fdatasync', unit: 'MB/s', values: disk }],
  }
}

/** Download of one file by every subject in turn. */
export async function downloadLoad({ rivals, work, runs }: LoadOptions, size = 2 * GiB): Promise<Table> {
  const drain = await buildDrain(work)
  const meters = rivals.map((rival) => ({ rival, values: [] as number[], cpu: [] as number[] }))
  for (const { rival } of meters) {
    writeFile(path.join(rival.folder, 'down.bin'), size)
    await rival.forget?.()
  }
  const served = meters.filter(({ rival }) => !rival.name.startsWith('@tus'))
  for (let turn = 0; turn < runs; turn++) {
    for (const { rival, values, cpu } of served) {
      const { url, headers } = await rival.download('down.bin')
      const before = cpuSeconds(rival.pid)
      const begun = performance.now()
      const received = await drain(url, headers)
      if (received < size) throw new Error(`${rival.name}: ${received} of ${size} bytes`)
      values.push(size / 1e3 / (performance.now() - begun))
      cpu.push((cpuSeconds(rival.pid) - before) / (size / GiB))
    }
  }
  for (const { rival } of meters) emptyFolder(rival.folder)
  const rows = served.map(({ rival, values, cpu }) => ({ subject: rival.name, unit: 'MB/s', values, cpuPerGiB: cpu }))
  return { load: 'Download', conditions: `one file of ${size / GiB} GiB over loopback, ${runs} runs`, rows }
}

/** Many small files by every subject in turn. */
export async function smallFilesLoad({ rivals, work, runs }: LoadOptions, count = 10_000, size = 4096): Promise<Table> {
  const meters = rivals.filter(({ uploadMany }) => uploadMany).map((rival) => ({ rival, values: [] as number[] }))
  const disk: number[] = []
  for (let turn = 0; turn < runs; turn++) {
    for (const { rival, values } of meters) {
      const begun = performance.now()
      await rival.uploadMany?.(`many-${turn}`, count, size)
      values.push((count * 1000) / (performance.now() - begun))
      emptyFolder(rival.folder)
    }
    disk.push(await diskFileSpeed(work, count, size))
  }
  const rows: Measured[] = meters.map(({ rival, values }) => ({ subject: rival.name, unit: 'files/s', values }))
  return {
    load: 'Small files',
    conditions: `${count} files of ${size} bytes, ${runs} runs`,
    rows: [...rows, { subject: 'limit: write + fdatasync each', unit: 'files/s', values: disk }],
  }
}

export function writeFile(file: string, size: number): void {
  const block = Buffer.alloc(8 << 20, 0x5a)
  const descriptor = fs.openSync(file, 'w')
  for (let at = 0; at < size; at += block.length) fs.writeSync(descriptor, block, 0, Math.min(block.length, size - at))
  fs.closeSync(descriptor)
}

export function emptyFolder(folder: string): void {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}
