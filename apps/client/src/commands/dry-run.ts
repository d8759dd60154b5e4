import { posix } from 'node:path'
import { systemClock } from '@godwit/base'
import { startDiskSource } from '@godwit/transfer'
import { describeFailure, type Output } from '@godwit/transfer/cli'
import type { Api, PlaceIds } from '../server-link/api.ts'
import { eachItem } from '../server-link/each-item.ts'
import type { Download } from '../transfers/download.ts'
import { filterFor, type Upload, type UploadParts } from '../transfers/upload.ts'
import { EXIT } from './transfer-output.ts'

/** Counts and names what a command would transfer, without a ticket or a byte of a file. */
class Plan {
  readonly #output: Output
  files = 0
  bytes = 0
  failed = 0

  constructor(output: Output) {
    this.#output = output
  }

  add(path: string, size: number): void {
    this.files++
    this.bytes += size
    this.#output.emit('would-transfer', { path, size }, `${String(size).padStart(15)}  ${path}`)
  }

  fail(path: string, code: string): void {
    this.failed++
    this.#output.emit('file-failed', { path, code }, describeFailure({ path, code }))
  }

  end(): number {
    const { files, bytes } = this
    const text = `${files} files, ${bytes} bytes would be transferred; what is already there is not sent again`
    this.#output.emit('dry-run', { files, bytes }, text)
    return this.failed === 0 ? EXIT.done : EXIT.partial
  }
}

/** What `up` would send: the files of this computer that no filter leaves out. */
export async function planUpload(output: Output, parts: UploadParts, upload: Upload): Promise<number> {
  const plan = new Plan(output)
  const { filter } = await filterFor(parts, upload)
  const source = startDiskSource({ roots: upload.roots, filter, links: false }, () => systemClock.monotonic())
  try {
    for await (const { entry } of source.list(({ path, code }) => plan.fail(path, code)))
      if (entry.kind === 'file') plan.add(entry.path, entry.size)
  } finally {
    await source.close()
  }
  return plan.end()
}

/** What `down` would fetch: the files that the account sees under these paths. */
export async function planDownload(output: Output, api: Pick<Api, 'list'>, download: Download): Promise<number> {
  const plan = new Plan(output)
  const { paths, spaceId, groupId } = download
  const place = { spaceId, groupId }
  for (const path of paths) {
    // As the server writes paths, also on a computer that writes them in another way.
    const { dir, base } = posix.parse(posix.join('/', path))
    if (base === '') await addFolder(plan, api, { ...place, folder: '/', name: '' })
    else await addEntry(plan, api, { ...place, folder: dir, name: base })
  }
  return plan.end()
}

interface At extends PlaceIds {
  readonly folder: string
  /** In the transfer. */
  readonly name: string
}

async function addEntry(plan: Plan, api: Pick<Api, 'list'>, { folder, name, ...place }: At): Promise<void> {
  for await (const item of eachItem(api, place, folder)) {
    if (item.name !== name) continue
    if (item.file_type === 'File') plan.add(name, item.size)
    else await addFolder(plan, api, { ...place, folder: posix.join(folder, name), name })
    return
  }
  plan.fail(name, 'SOURCE_UNREADABLE')
}

async function addFolder(plan: Plan, api: Pick<Api, 'list'>, { folder, name, ...place }: At): Promise<void> {
  for await (const item of eachItem(api, place, folder)) {
    const inner = name === '' ? item.name : `${name}/${item.name}`
    if (item.file_type === 'File') plan.add(inner, item.size)
    else await addFolder(plan, api, { ...place, folder: posix.join(folder, item.name), name: inner })
  }
}
