import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { RangeSet } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { type Godwit, launchGodwit } from '@godwit/testkit'

const PART_BYTES = 16 * 1024 * 1024
const LANES = 4

export interface KilledUpload {
  readonly sentSha256: string
  readonly storedSha256: string
  /** Acknowledged parts that were sent a second time. */
  readonly again: number
  /** Acknowledged parts that a restarted server had lost. */
  readonly lost: number
}

/** A guest of an invite link sends a file; the server is killed twice meanwhile, and after the first time the page begins anew. */
export async function uploadThroughKills(size: number): Promise<KilledUpload> {
  const film = filmOf(size)
  let godwit = await launchGodwit()
  const { data, administrator, url } = godwit
  try {
    const guest = await visitLink(url, await inviteLink(godwit))
    let upload = await begin(url, guest, size)
    const acknowledged = new Set<number>()
    let [lost, again] = [0, 0]
    for (const [round, share] of [1 / 3, 2 / 3, 1].entries()) {
      const there = new RangeSet(upload.ranges.map(([start, end]) => ({ start, end })))
      const missing = film.offsets.filter((at) => !there.has(at, film.endOf(at)))
      lost += missing.filter((at) => acknowledged.has(at)).length
      const until = Math.ceil(film.offsets.length * share) * PART_BYTES
      const todo = missing.filter((at) => at < until)
      again += todo.filter((at) => acknowledged.has(at)).length
      await inLanes(todo, async (at) => {
        await send(url, upload, at, film.partAt(at))
        acknowledged.add(at)
      })
      if (share === 1) break
      // Bytes of further parts are under way when it dies.
      const flying = missing.filter((at) => at >= until).slice(0, LANES)
      const cut = flying.map((at) => send(url, upload, at, film.partAt(at)).catch(() => undefined))
      await godwit.end('SIGKILL')
      await Promise.all(cut)
      godwit = await launchGodwit({ data, port: Number(new URL(url).port) })
      // A page that is loaded anew keeps the token of its visit, and nothing else.
      upload = round === 0 ? await begin(url, guest, size) : await lookAt(url, upload)
    }
    await call(url, { method: 'POST', path: `/api/uploads/${upload.id}/complete`, token: upload.grant, json: {} })
    const stored = createHash('sha256')
    const file = path.join(data, 'files/users', administrator.account, 'inbox/film.bin')
    for await (const chunk of fs.createReadStream(file)) stored.update(chunk as Buffer)
    return { sentSha256: film.sha256(), storedSha256: stored.digest('hex'), lost, again }
  } finally {
    await godwit.stop()
    // Only the launch that made the folder would remove it.
    fs.rmSync(data, { recursive: true, force: true })
  }
}

/** A file of random bytes, no two parts alike, that is in memory once at most. */
function filmOf(size: number) {
  const block = randomBytes(PART_BYTES)
  const endOf = (at: number): number => Math.min(size, at + PART_BYTES)
  const partAt = (at: number): Buffer => {
    const part = Buffer.from(block.subarray(0, endOf(at) - at))
    part.writeUInt32BE(at / PART_BYTES, 0)
    return part
  }
  const offsets = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, at) => at * PART_BYTES)
  const sha256 = (): string => {
    const hash = createHash('sha256')
    for (const at of offsets) hash.update(partAt(at))
    return hash.digest('hex')
  }
  return { offsets, endOf, partAt, sha256 }
}

async function inLanes(todo: number[], work: (at: number) => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let at = todo.shift(); at !== undefined; at = todo.shift()) await work(at)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function send(url: string, { id, grant }: Upload, at: number, body: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${grant}` }
  const answer = await fetch(`${url}/api/uploads/${id}/parts/${at}`, { method: 'PUT', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text)
}

interface Upload {
  readonly id: string
  readonly grant: string
  readonly ranges: ReadonlyArray<readonly [number, number]>
}

async function begin(url: string, token: string, size: number): Promise<Upload> {
  const json = { folder: '/', filename: 'film.bin', size, lastModified: 1_763_650_000_000, conflict: 'keep-both' }
  const made = await call(url, { method: 'POST', path: '/api/uploads', token, json: { ...json, partSize: PART_BYTES } })
  return { id: String(made['uploadId']), grant: String(made['grant']), ranges: made['ranges'] as Upload['ranges'] }
}

async function lookAt(url: string, upload: Upload): Promise<Upload> {
  const view = await call(url, { method: 'GET', path: `/api/uploads/${upload.id}`, token: upload.grant })
  return { ...upload, ranges: view['ranges'] as Upload['ranges'] }
}

async function inviteLink({ url, administrator: { account, password } }: Godwit): Promise<string> {
  const post = (where: string, token: string, json: object) => call(url, { method: 'POST', path: where, token, json })
  const login = await post('/api/user/login', '', { account, password: encodePassword(password) })
  const token = String(login['token'])
  const place = { spaceId: 1, groupId: 0 }
  await post('/api/files/mkdir', token, { ...place, folder: '/', name: 'inbox' })
  const wanted = { ...place, shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'] }
  return String((await post('/api/share/link/create', token, wanted))['linkId'])
}

async function visitLink(url: string, link: string): Promise<string> {
  const asked = { method: 'POST', path: '/api/share/link/verify/url', token: '', json: { url: link } }
  return String((await call(url, asked))['token'])
}

interface Call {
  readonly method: string
  readonly path: string
  /** '' for nobody's. */
  readonly token: string
  readonly json?: object
}

async function call(url: string, { method, path: where, token, json }: Call): Promise<Record<string, unknown>> {
  const headers = {
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const answer = await fetch(url + where, { method, headers, body: json === undefined ? null : JSON.stringify(json) })
  const { code, data } = (await answer.json()) as { readonly code: number; readonly data: Record<string, unknown> }
  if (code !== 200) throw new Error(`${where}: ${code}`)
  return data
}
