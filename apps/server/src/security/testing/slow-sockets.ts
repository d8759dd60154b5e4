import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Site } from './sites.ts'

export interface SlowRun {
  readonly count: number
  /** What they never end: their headers, a JSON body, or a part of an upload. */
  readonly kind: 'headers' | 'json' | 'part'
  /** How long they keep on, if they are let. */
  readonly limitMs: number
  /** Bearer token and path, for bodies. */
  readonly token?: string
  readonly path?: string
}

export interface SlowResult {
  readonly stillOpen: number
  readonly lastClosedMs: number
  /** What a listing took for somebody else meanwhile. */
  readonly others99Ms: number
  readonly othersFailed: number
  /** What the server said before it let go, each answer once. */
  readonly answers: ReadonlySet<string>
}

const BEGINNINGS: Readonly<Record<SlowRun['kind'], (run: SlowRun) => string>> = {
  headers: () => 'GET / HTTP/1.1\r\nHost: x\r\n',
  json: ({ token }) =>
    `POST /api/files/list HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
  part: ({ token, path }) =>
    `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1048576\r\n\r\n`,
}

/** Opens connections that send a byte a second, and measures when the server lets each of them go. */
export async function slowSockets(site: Site, run: SlowRun): Promise<SlowResult> {
  const { hostname, port } = new URL(site.url)
  const begun = performance.now()
  let lastClosedMs = 0
  const open = new Set<net.Socket>()
  const answers = new Set<string>()
  for (let at = 0; at < run.count; at++) {
    const socket = net.connect({ host: hostname, port: Number(port) })
    socket.write(BEGINNINGS[run.kind](run))
    open.add(socket)
    socket.on('error', () => undefined)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    socket.once('close', () => {
      open.delete(socket)
      answers.add(received)
      lastClosedMs = performance.now() - begun
    })
  }
  const waits: number[] = []
  let othersFailed = 0
  while (open.size > 0 && performance.now() - begun < run.limitMs) {
    for (const socket of open) if (socket.writable) socket.write('a')
    const asked = performance.now()
    if ((await site.ask({ path: '/api/website/info' })).code !== 200) othersFailed++
    waits.push(performance.now() - asked)
    await sleep(1_000)
  }
  const stillOpen = open.size
  for (const socket of open) socket.destroy()
  const others99Ms = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
  return { stillOpen, lastClosedMs, others99Ms, othersFailed, answers }
}
