import fs from 'node:fs'
import path from 'node:path'
import { run } from '@godwit/testkit'
import type { Table } from '../figures.ts'
import type { GodwitRival } from '../rivals/godwit.ts'
import type { Rival } from '../rivals/rival.types.ts'
import { emptyFolder } from './bytes.ts'

const SECONDS = 5

interface MetadataOptions {
  readonly ours: GodwitRival
  readonly others: readonly Rival[]
  readonly work: string
  readonly runs: number
}

/** Listing a folder of 20 entries again and again by many keep-alive clients; rivals answer their cheapest listing of the same folder. */
export async function metadataLoad({ ours, others, work, runs }: MetadataOptions, clients: number): Promise<Table> {
  for (const rival of [ours, ...others]) {
    fs.mkdirSync(path.join(rival.folder, 'small'), { recursive: true })
    for (let index = 0; index < 20; index++) fs.writeFileSync(path.join(rival.folder, 'small', `f${index}.txt`), 'x')
    await rival.forget?.()
  }
  const script = path.join(work, 'list.lua')
  fs.writeFileSync(
    script,
    `wrk.method="POST" wrk.body='{"folder":"/small"}' wrk.headers["content-type"]="application/json" wrk.headers["authorization"]="${ours.authorization['authorization']}"\n`,
  )
  const targets = [
    { name: ours.name, argv: ['-s', script, `${ours.url}/api/files/list`] },
    ...(await Promise.all(
      others.map(async (rival) => ({ name: rival.name, argv: [(await rival.download('small/')).url] })),
    )),
  ]
  const values: number[][] = targets.map(() => [])
  for (let turn = 0; turn < runs; turn++) {
    for (const [index, { argv }] of targets.entries()) values[index]?.push(await wrk(clients, argv))
  }
  for (const rival of [ours, ...others]) emptyFolder(rival.folder)
  return {
    load: 'Metadata',
    conditions: `list of 20 entries, ${clients} keep-alive clients, ${runs} runs of ${SECONDS} s`,
    rows: targets.map(({ name }, index) => ({ subject: name, unit: 'requests/s', values: values[index] ?? [] })),
  }
}

/** @throws when any answer was an error */
async function wrk(clients: number, argv: readonly string[]): Promise<number> {
  const output = await run(['wrk', '-t', '1', '-c', String(clients), '-d', `${SECONDS}s`, '--timeout', '10s', ...argv])
  if (/Non-2xx/.test(output)) throw new Error(output)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}
