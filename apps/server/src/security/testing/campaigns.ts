import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { TUS } from './doors.ts'
import { residentMiB, type Site } from './sites.ts'
import { ask } from './wire.ts'

export interface ManyUploads {
  readonly notEqual: number
  readonly serverErrors: number
  readonly mostMiB: number
  /** What a listing took for somebody else meanwhile, p99. */
  readonly others99Ms: number
}

const UPLOAD_BYTES = 8 * MiB

/** `count` uploads of 8 MiB by tus, all begun before any of them ends (fault plan, row 16). */
export async function manyUploads(site: Site, token: string, count: number): Promise<ManyUploads> {
  const rest = Buffer.alloc(UPLOAD_BYTES - 8, 7)
  const contentHash = (index: number): string =>
    createHash('sha256').update(beginning(index)).update(rest).digest('hex')
  let mostMiB = 0
  const waits: number[] = []
  let isRunning = true
  const watch = (async () => {
    while (isRunning) {
      const asked = performance.now()
      await site.ask({ path: '/api/website/info' })
      waits.push(performance.now() - asked)
      mostMiB = Math.max(mostMiB, residentMiB(site.godwit.pid))
      await new Promise((done) => setTimeout(done, 50))
    }
  })()
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const headers = {
        ...TUS,
        'upload-length': UPLOAD_BYTES,
        'upload-metadata': `filename ${Buffer.from(`f${index}`).toString('base64')}`,
      }
      const created = await ask(site.url, { method: 'POST', path: '/files/uploads', token, headers })
      return sendChunk(site, { token, location: String(created.headers.location), pieces: [beginning(index), rest] })
    }),
  )
  isRunning = false
  await watch
  const home = site.home('admin')
  const notEqual = statuses.filter((_, index) => {
    const stored = path.join(home, `f${index}`)
    return (
      !fs.existsSync(stored) ||
      createHash('sha256').update(fs.readFileSync(stored)).digest('hex') !== contentHash(index)
    )
  })
  const others99Ms = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
  return {
    notEqual: notEqual.length,
    serverErrors: statuses.filter((status) => status >= 500).length,
    mostMiB,
    others99Ms,
  }
}

function beginning(index: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(index)
  return bytes
}

interface Chunk {
  readonly token: string
  readonly location: string
  readonly pieces: readonly Buffer[]
}

/** @returns the status; 599 when the connection was cut */
function sendChunk(site: Site, { token, location, pieces }: Chunk): Promise<number> {
  const { hostname, port } = new URL(site.url)
  const headers = {
    ...TUS,
    authorization: `Bearer ${token}`,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
    'content-length': pieces.reduce((sum, piece) => sum + piece.length, 0),
  }
  return new Promise((resolve) => {
    const request = http.request(
      { hostname, port, path: location, method: 'PATCH', headers, agent: false },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 599))
      },
    )
    request.once('error', () => resolve(599))
    for (const piece of pieces) request.write(piece)
    request.end()
  })
}

/** Flips one bit of a file as a failing disk does: without a trace in its times. */
export function flipBit(file: string, at: number): void {
  const reference = `${file}.times`
  execFileSync('touch', ['-r', file, reference])
  const handle = fs.openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  fs.readSync(handle, byte, 0, 1, at >> 3)
  byte[0] = (byte[0] ?? 0) ^ (1 << (at & 7))
  fs.writeSync(handle, byte, 0, 1, at >> 3)
  fs.closeSync(handle)
  execFileSync('touch', ['-r', reference, file])
  fs.rmSync(reference)
}

export interface SizedRun {
  readonly uploaded: string
  readonly downloaded: string
  /** Growth of the server's memory at its highest. */
  readonly mostMiB: number
}

/** Uploads a file of this size in parts and downloads it again; both ends hash what passes (fault plan, row 22). */
export async function roundTrip(site: Site, token: string, size: number): Promise<SizedRun> {
  const before = residentMiB(site.godwit.pid)
  let mostMiB = 0
  const look = setInterval(() => (mostMiB = Math.max(mostMiB, residentMiB(site.godwit.pid) - before)), 100)
  const sent = createHash('sha256')
  const json = { folder: '/', filename: `size-${size}`, size, conflict: 'replace', resume: false }
  const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
  const { uploadId, partSize } = data as unknown as { readonly uploadId: string; readonly partSize: number }
  const block = Buffer.alloc(Math.min(partSize, size), 0)
  for (let at = 0; at < size; at += partSize) {
    const part = block.subarray(0, Math.min(partSize, size - at))
    if (part.length >= 8) part.writeDoubleBE(at, 0)
    sent.update(part)
    const answer = await site.ask({ method: 'PUT', path: `/api/uploads/${uploadId}/parts/${at}`, token, body: part })
    if (answer.code !== 200) throw new Error(answer.text)
  }
  const done = await site.ask({ method: 'POST', path: `/api/uploads/${uploadId}/complete`, token, json: {} })
  if (done.code !== 200) throw new Error(done.text)
  const downloaded = await hashOfDownload(site, token, `/size-${size}`)
  clearInterval(look)
  return { uploaded: sent.digest('hex'), downloaded, mostMiB }
}

export function hashOfDownload(site: Site, token: string, file: string): Promise<string> {
  const { hostname, port } = new URL(site.url)
  const hash = createHash('sha256')
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = http.get(
      { hostname, port, path: `/api/files/content?path=${encodeURIComponent(file)}`, headers, agent: false },
      (response) => {
        response.on('data', (chunk: Buffer) => hash.update(chunk))
        response.once('error', reject)
        response.once('end', () => resolve(hash.digest('hex')))
      },
    )
    request.once('error', reject)
  })
}
