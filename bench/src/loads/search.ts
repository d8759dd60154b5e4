import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Measured, Table } from '../figures.ts'
import { godwit, type GodwitRival } from '../rivals/godwit.ts'
import { call, json } from '../wire.ts'

const run = promisify(execFile)

const FILES_PER_FOLDER = 1_000
/** Between two looks at an index: often enough for its figure, and a fiftieth of its time in all. */
const lookAfter = (elapsedMs: number): number => Math.max(50, elapsedMs / 50)

/** What somebody types, from the most common text to one that nothing has though each part of it is common. */
const TEXTS = {
  'a common word': 'report',
  'two Chinese characters': '预算',
  'one letter': 'a',
  'one file in all': '0000007.',
  nothing: 'report budget zq',
} as const

interface Reply {
  readonly items: readonly unknown[]
  readonly next: string | null
  readonly isBuilding: boolean
}

/** Search by name in trees of growing size, once the index stands; `find` walks the same tree on the disk. */
export async function searchLoad(work: string, sizes: readonly number[], runs: number): Promise<Table[]> {
  const tables: Table[] = []
  for (const size of sizes) {
    // A server of its own: one that knows the place looks for files of other programs once a day only.
    const data = path.join(work, `search-${size}`)
    fs.mkdirSync(data)
    await using ours = await godwit(data)
    makeTree(ours.folder, size)
    const begun = performance.now()
    while ((await search(ours, 'report')).isBuilding) await pause(lookAfter(performance.now() - begun))
    const builtIn = performance.now() - begun
    const rows: Measured[] = []
    for (const [subject, text] of Object.entries(TEXTS)) {
      rows.push({
        subject: `godwit: ${subject}`,
        unit: 'ms',
        values: await firstResults(ours, text, runs),
        lessIsBetter: true,
      })
    }
    rows.push({ subject: 'godwit: index built', unit: 's', values: [builtIn / 1000], lessIsBetter: true })
    rows.push({
      subject: 'find -iname, warm',
      unit: 'ms',
      values: await findTimes(ours.folder, runs),
      lessIsBetter: true,
    })
    tables.push({ load: 'Search', conditions: `${size} files, first results, ${runs} runs`, rows })
  }
  return tables
}

/** Until there is something to show, or until it is certain that there is nothing. */
async function firstResults(ours: GodwitRival, text: string, runs: number): Promise<number[]> {
  const values: number[] = []
  for (let turn = 0; turn < runs; turn++) {
    const begun = performance.now()
    let reply = await search(ours, text)
    while (reply.items.length === 0 && reply.next !== null) reply = await search(ours, text, reply.next)
    values.push(performance.now() - begun)
  }
  return values
}

async function search({ url, authorization }: GodwitRival, text: string, cursor: string | null = null): Promise<Reply> {
  const { body, headers } = json({ text, scope: 'everywhere', cursor })
  const asked = { method: 'POST', url: `${url}/api/files/search`, body, headers: { ...headers, ...authorization } }
  return (JSON.parse((await call(asked)).body.toString()) as { data: Reply }).data
}

async function findTimes(folder: string, runs: number): Promise<number[]> {
  const values: number[] = []
  for (let turn = 0; turn <= runs; turn++) {
    const begun = performance.now()
    await run('find', [folder, '-iname', '*0000007.*'])
    values.push(performance.now() - begun)
  }
  return values.slice(1)
}

const WORDS = ['report', 'invoice', 'photo', 'budget', 'project', '预算', '合同', '会议', 'draft', 'scan']

function makeTree(top: string, count: number): void {
  for (let index = 0; index < count; index++) {
    const folder = path.join(top, String(Math.floor(index / FILES_PER_FOLDER)))
    if (index % FILES_PER_FOLDER === 0) fs.mkdirSync(folder, { recursive: true })
    const word = (at: number): string => WORDS[at % WORDS.length] ?? ''
    const name = `${word(index)} ${word(Math.floor(index / 7))} ${String(index).padStart(7, '0')}.pdf`
    fs.closeSync(fs.openSync(path.join(folder, name), 'w'))
  }
}
