import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { run } from '@godwit/testkit'
import type { Table } from '../figures.ts'
import { godwit, type GodwitRival } from '../rivals/godwit.ts'
import { call, json } from '../wire.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../../apps/server/bin/godwit.js')
const DOCUMENTS_PER_FOLDER = 1_000
const LOOK_MS = 500
const MiB = 1024 * 1024

/** Words by rank, as a language has them: the second half as often as the first, the third a third as often. */
const VOCABULARY = 40_000
const WORDS_PER_DOCUMENT = 1_200
const IDEOGRAPHS = 3_000
/** Most Chinese words have two characters. */
const CHINESE_VOCABULARY = 15_000

/** From what half of the documents have to what none has though each part of it is common. */
const TEXTS = {
  'a common word': wordOf(1),
  'two Chinese characters': chineseWordOf(5),
  'three words': [3, 40, 300].map(wordOf).join(' '),
  'one document in all': 'only7',
  'nothing, of common words': [1, 2, 1, 3, 1, 2].map(chineseWordOf).join(''),
} as const

interface Reply {
  readonly items: readonly unknown[]
  readonly next: string | null
  readonly isBuilding: boolean
  readonly hasContents: boolean
}

/** Search in documents, once their index stands: how long that takes, how large it is, and how fast it answers. */
export async function contentsLoad(work: string, counts: readonly number[], runs: number): Promise<Table[]> {
  const tables: Table[] = []
  for (const count of counts) {
    const data = path.join(work, `contents-${count}`)
    fs.mkdirSync(data)
    await using ours = await godwit(data)
    const textBytes = makeDocuments(ours.folder, count)
    while ((await search(ours, { text: 'doc' })).isBuilding) await pause(LOOK_MS)
    const before = databaseBytes(data)
    const begun = performance.now()
    await run([process.execPath, PROGRAM, 'settings', 'set', 'search.contents', 'on', '--data', data])
    await untilRead(ours)
    const builtIn = (performance.now() - begun) / 1000
    const indexBytes = databaseBytes(data) - before
    const rows = []
    for (const [subject, text] of Object.entries(TEXTS)) {
      const values = await firstResults(ours, text, runs)
      rows.push({ subject: `godwit: ${subject}`, unit: 'ms', values, lessIsBetter: true })
    }
    rows.push({ subject: 'godwit: index built', unit: 's', values: [builtIn], lessIsBetter: true })
    rows.push({ subject: 'godwit: index', unit: 'MiB', values: [indexBytes / MiB], lessIsBetter: true })
    rows.push({ subject: 'the text itself', unit: 'MiB', values: [textBytes / MiB], lessIsBetter: true })
    tables.push({ load: 'Search in documents', conditions: `${count} documents, first results, ${runs} runs`, rows })
  }
  return tables
}

async function untilRead(ours: GodwitRival): Promise<void> {
  for (;;) {
    await pause(LOOK_MS)
    const { hasContents, isBuilding } = await search(ours, { text: 'only7', in: 'contents' })
    if (hasContents && !isBuilding) return
  }
}

/** Until there is something to show, or until it is certain that there is nothing. */
async function firstResults(ours: GodwitRival, text: string, runs: number): Promise<number[]> {
  const values: number[] = []
  for (let turn = 0; turn <= runs; turn++) {
    const begun = performance.now()
    let reply = await search(ours, { text, in: 'contents' })
    while (reply.items.length === 0 && reply.next !== null)
      reply = await search(ours, { text, in: 'contents', cursor: reply.next })
    values.push(performance.now() - begun)
  }
  return values.slice(1)
}

async function search({ url, authorization }: GodwitRival, input: object): Promise<Reply> {
  const { body, headers } = json({ scope: 'everywhere', limit: 50, ...input })
  const asked = { method: 'POST', url: `${url}/api/files/search`, body, headers: { ...headers, ...authorization } }
  return (JSON.parse((await call(asked)).body.toString()) as { data: Reply }).data
}

function databaseBytes(data: string): number {
  const database = new DatabaseSync(path.join(data, 'godwit.db'), { readOnly: true })
  try {
    const bytes = 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()'
    return Number(database.prepare(bytes).get()?.['bytes'])
  } finally {
    database.close()
  }
}

function wordOf(rank: number): string {
  return ((rank * 48_271) % 16_777_213).toString(36)
}

function chineseWordOf(rank: number): string {
  return [rank * 7_919, rank * 104_729].map((seed) => String.fromCharCode(0x4e00 + (seed % IDEOGRAPHS))).join('')
}

/** Half of each document is English, half Chinese. @returns bytes of all of them */
function makeDocuments(top: string, count: number): number {
  let state = 1
  const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const rank = (size: number): number => Math.floor(size ** draw())
  let bytes = 0
  for (let index = 0; index < count; index++) {
    const folder = path.join(top, String(Math.floor(index / DOCUMENTS_PER_FOLDER)))
    if (index % DOCUMENTS_PER_FOLDER === 0) fs.mkdirSync(folder, { recursive: true })
    const length = Math.floor(WORDS_PER_DOCUMENT * (0.2 + draw() * 1.6)) / 2
    const words = Array.from({ length }, () => wordOf(rank(VOCABULARY)))
    const chinese = Array.from({ length }, () => chineseWordOf(rank(CHINESE_VOCABULARY)))
    const content = Buffer.from(`only${index} ${words.join(' ')}\n${chinese.join('')}`)
    fs.writeFileSync(path.join(folder, `doc ${index}.txt`), content)
    bytes += content.length
  }
  return bytes
}
