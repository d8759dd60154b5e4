import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { printed, type Table } from './figures.ts'
import { budgetsLoad } from './loads/budgets.ts'
import { bucketsLoad } from './loads/buckets.ts'
import { contentsLoad } from './loads/contents.ts'
import { downloadLoad, smallFilesLoad, uploadLoad } from './loads/bytes.ts'
import { footprintLoad } from './loads/footprint.ts'
import { listingLoad } from './loads/listing.ts'
import { metadataLoad } from './loads/metadata.ts'
import { pagesLoad } from './loads/pages.ts'
import { searchLoad } from './loads/search.ts'
import { tlsLoad } from './loads/tls.ts'
import { bareNode } from './rivals/bare.ts'
import { godwit, godwitTls } from './rivals/godwit.ts'
import { nginx, nginxTls } from './rivals/nginx.ts'
import { rclone } from './rivals/rclone.ts'
import { tus } from './rivals/tus.ts'

const LOADS = [
  ...([
    'upload',
    'download',
    'small-files',
    'listing',
    'metadata',
    'search',
    'contents',
    'pages',
    'budgets',
    'tls',
    'buckets',
  ] as const),
  'footprint',
] as const
const HELP = `Usage: npm run bench -- [--only upload,download,...] [--runs 3] [--entries 1000,10000,100000,1000000] [--save]

Loads: ${LOADS.join(', ')}. Every load runs this server, its rivals and the machine's own limit in the same run;
read the ratios, not the absolute figures. --save writes what was measured into bench/baseline/server.* and leaves the other loads there.
`
/** First visits to a page: what else the machine does shows in each of them. */
const PAGE_VISITS = 5
const BASELINE = path.join(import.meta.dirname, '../baseline/server')

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: LOADS.join(',') },
    runs: { type: 'string', default: '3' },
    entries: { type: 'string', default: '1000,10000,100000,1000000' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else await main(new Set(values.only.split(',')), Number(values.runs))

async function main(wanted: ReadonlySet<string>, runs: number): Promise<void> {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-bench-'))
  const tables: Table[] = []
  const add = (...more: readonly Table[]): void => {
    tables.push(...more)
    for (const table of more) process.stdout.write(`${printed(table)}\n`)
  }
  const folderFor = (name: string): string => {
    const folder = path.join(work, name)
    fs.mkdirSync(folder, { recursive: true })
    return folder
  }
  process.stdout.write(`${machine()}\n\n`)
  try {
    await using ours = await godwit(folderFor('godwit'))
    await using plain = await nginx(folderFor('nginx'))
    await using drive = await rclone(folderFor('rclone'))
    await using official = await tus(folderFor('tus'))
    const rivals = [ours, plain, drive, official]
    const options = { rivals, work, runs }
    await using bare = await bareNode(folderFor('bare'))
    const withBare = { ...options, rivals: [...rivals, bare] }
    if (wanted.has('upload')) add(await uploadLoad(withBare))
    if (wanted.has('download')) add(await downloadLoad(withBare))
    if (wanted.has('small-files')) add(await smallFilesLoad(options))
    if (wanted.has('listing')) add(...(await listingLoad(options, values.entries.split(',').map(Number))))
    if (wanted.has('metadata')) {
      for (const clients of [500, 2000]) add(await metadataLoad({ ours, others: [plain, drive], work, runs }, clients))
    }
    if (wanted.has('search')) add(...(await searchLoad(work, values.entries.split(',').map(Number), runs)))
    if (wanted.has('contents')) add(...(await contentsLoad(work, [10_000], runs)))
    if (wanted.has('pages')) add(...(await pagesLoad(ours, Math.max(runs, PAGE_VISITS))))
    if (wanted.has('budgets')) add(await budgetsLoad(runs))
    if (wanted.has('tls')) {
      await using secured = await godwitTls(folderFor('godwit-tls'))
      await using other = await nginxTls(folderFor('nginx-tls'))
      add(...(await tlsLoad({ subjects: [secured, other], work, runs })))
    }
    if (wanted.has('buckets')) {
      for (const kind of ['s3', 'azure'] as const) add(...(await bucketsLoad(kind, { work, runs })))
    }
    if (wanted.has('footprint')) add(...(await footprintLoad([godwit, nginx, rclone, tus], work, runs)))
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
  if (values.save) save(tables)
}

/** Keeps what was measured, and of an earlier run the loads that were not. */
function save(tables: readonly Table[]): void {
  const round = (value: number): number => Number(value.toPrecision(4))
  const measured = tables.map(({ rows, ...table }): Table => ({
    ...table,
    rows: rows.map((row) => ({
      ...row,
      values: row.values.map(round),
      ...(row.cpuPerGiB ? { cpuPerGiB: row.cpuPerGiB.map(round) } : {}),
    })),
  }))
  const isMeasured = ({ load, conditions }: Table): boolean =>
    measured.some((table) => table.load === load && table.conditions === conditions)
  const all = [...savedTables().filter((table) => !isMeasured(table)), ...measured].toSorted(
    (left, right) => placeOf(left) - placeOf(right),
  )
  fs.writeFileSync(`${BASELINE}.json`, `${JSON.stringify(all, null, 2)}\n`)
  const text = all.map((table) => `\`\`\`text\n${printed(table).trim()}\n\`\`\`\n`).join('\n')
  fs.writeFileSync(
    `${BASELINE}.md`,
    `# The server beside its rivals\n\n${machine()}. Medians with their range.\n\n${text}`,
  )
}

function savedTables(): readonly Table[] {
  if (!fs.existsSync(`${BASELINE}.json`)) return []
  return JSON.parse(fs.readFileSync(`${BASELINE}.json`, 'utf8')) as readonly Table[]
}

/** Where a table stands among the loads; the two of the footprint come last. */
function placeOf({ load }: Table): number {
  const place = LOADS.findIndex((name) => name === load.toLowerCase().replace(' ', '-'))
  return place < 0 ? LOADS.length : place
}

function machine(): string {
  return `${os.cpus()[0]?.model ?? ''}, ${os.cpus().length} cores, Linux ${os.release()}, Node ${process.versions.node}`
}
