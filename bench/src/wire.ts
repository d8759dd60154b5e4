import { execFile } from 'node:child_process'
import http from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { MiB } from '@godwit/base'

const run = promisify(execFile)

/** What every subject receives: 1 MiB of bytes that do not compress, again and again. */
const BLOCK = Buffer.from(Uint8Array.from({ length: MiB }, (_, index) => (index * 2_654_435_761) >>> 13))

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface Call {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes of BLOCK to send, or a body of one's own. */
  readonly size?: number
  readonly body?: Buffer
  readonly agent?: http.Agent
}

/** One HTTP call with the cheapest client there is in Node, the same for every subject. @throws on a status of 300 and above */
export async function call(wanted: Call): Promise<Answer> {
  const { method, url, headers = {}, size = 0, body, agent } = wanted
  const length = body?.length ?? size
  return new Promise((resolve, reject) => {
    const withLength = length > 0 || method !== 'GET' ? { 'content-length': String(length) } : {}
    const req = http.request(
      url,
      { method, headers: { ...headers, ...withLength }, ...(agent ? { agent } : {}) },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => {
          const answer = { status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }
          if (answer.status < 300) resolve(answer)
          else reject(new Error(`${method} ${url}: ${answer.status} ${answer.body.toString().slice(0, 200)}`))
        })
      },
    )
    req.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection that the server closed while this program made files for half a minute.
      if (req.reusedSocket && isClosedByServer(error)) resolve(call(wanted))
      else reject(error)
    })
    if (body) req.end(body)
    else pour(req, size)
  })
}

function isClosedByServer({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** How often a text stands in a body, which may be longer than a string can be. */
export function occurrences(body: Buffer, text: string): number {
  let count = 0
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) count++
  return count
}

function pour(req: http.ClientRequest, size: number): void {
  let left = size
  const more = (): void => {
    while (left > 0) {
      const count = Math.min(left, BLOCK.length)
      left -= count
      if (!req.write(count === BLOCK.length ? BLOCK : BLOCK.subarray(0, count))) {
        req.once('drain', more)
        return
      }
    }
    req.end()
  }
  more()
}

/** Builds the reader that takes the least of the machine; curl alone would keep a core busy and be the limit. */
export async function buildDrain(work: string): Promise<Drain> {
  const program = path.join(work, 'drain')
  await run('gcc', ['-O2', '-o', program, path.join(import.meta.dirname, 'drain.c')])
  return async (url, headers) => {
    const { hostname, port, pathname, search } = new URL(url)
    const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const { stdout } = await run(program, [hostname, port, pathname + search, ...named])
    return Number(stdout)
  }
}

/**
 * Downloads and throws away.
 * @returns bytes of the body
 * @throws Error on any status but 200, and when the body is cut
 */
export type Drain = (url: string, headers: Readonly<Record<string, string>>) => Promise<number>

export function json(value: unknown): { readonly body: Buffer; readonly headers: { readonly 'content-type': string } } {
  return { body: Buffer.from(JSON.stringify(value)), headers: { 'content-type': 'application/json' } }
}

/** Runs `work` for 0..count-1, `width` at a time. */
export async function inParallel(count: number, width: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let index = next++; index < count; index = next++) await work(index)
    }),
  )
}
