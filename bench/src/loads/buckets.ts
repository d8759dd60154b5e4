import fs from 'node:fs'
import path from 'node:path'
import { GiB, MiB } from '@godwit/base'
import { launchBucketService, run } from '@godwit/testkit'
import { residentMiB } from '../cpu.ts'
import type { Measured, Table } from '../figures.ts'
import { godwit } from '../rivals/godwit.ts'
import type { LoadOptions } from './bytes.ts'

const MEMORY_LOOKS_MS = 100

/** One large file through Godwit onto an object storage, beside rclone straight onto it, in turns. */
export async function bucketsLoad(
  kind: 's3' | 'azure',
  { work, runs }: Pick<LoadOptions, 'work' | 'runs'>,
  size = 2 * GiB,
): Promise<Table[]> {
  const source = path.join(work, 'bucket-source.bin')
  writeSource(source, size)
  const turns: Turn[] = []
  for (let turn = 0; turn < runs; turn++) turns.push(await oneTurn(kind, { work, source, size }))
  fs.rmSync(source)
  const name = turns[0]?.service ?? kind
  const unit = 'MB/s'
  const rows: Measured[] = [
    { subject: `godwit onto ${name}`, unit, values: turns.map(({ through }) => through) },
    { subject: `rclone straight onto ${name}`, unit, values: turns.map(({ straight }) => straight) },
  ]
  const values = turns.map(({ memory }) => memory)
  const peaks: Measured[] = [{ subject: 'memory of the server', unit: 'MiB', values, lessIsBetter: true }]
  const conditions = `${name}, one file of ${size / GiB} GiB, ${runs} runs`
  return [
    { load: 'Buckets', conditions, rows },
    { load: 'Buckets', conditions: `${conditions}: largest memory`, rows: peaks },
  ]
}

interface Turn {
  readonly service: string
  /** MB/s, both. */
  readonly through: number
  readonly straight: number
  /** The most that the server took, MiB. */
  readonly memory: number
}

/** The services keep what they have in memory, so that each turn has one of its own. */
async function oneTurn(
  kind: 's3' | 'azure',
  { work, source, size }: { readonly work: string; readonly source: string; readonly size: number },
): Promise<Turn> {
  const service = await launchBucketService(kind, 3 * size)
  try {
    const data = fs.mkdtempSync(path.join(work, 'godwit-bucket-'))
    await service.adopt(data)
    await using ours = await godwit(data)
    let memory = 0
    const looks = setInterval(() => (memory = Math.max(memory, residentMiB(ours.pid))), MEMORY_LOOKS_MS)
    const through = await speed(size, () => ours.upload?.('through.bin', size))
    clearInterval(looks)
    const copy = service.rclone('copyto', source, service.pathOf('straight.bin'))
    const straight = await speed(size, () => run(copy, { timeoutMs: 600_000 }))
    return { service: service.name, through, straight, memory }
  } finally {
    await service.stop()
  }
}

/** @returns MB/s */
async function speed(size: number, send: () => Promise<unknown> | undefined): Promise<number> {
  const begun = performance.now()
  await send()
  return size / 1e3 / (performance.now() - begun)
}

/** Bytes that do not compress, without holding them in memory. */
function writeSource(file: string, size: number): void {
  const block = Buffer.from(Uint8Array.from({ length: MiB }, (_, index) => (index * 2_654_435_761) >>> 13))
  const target = fs.openSync(file, 'w')
  for (let at = 0; at < size; at += block.length) fs.writeSync(target, block)
  fs.closeSync(target)
}
