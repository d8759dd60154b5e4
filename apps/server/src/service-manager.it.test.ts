import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { launchGodwit } from '@godwit/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const GODWIT = path.join(import.meta.dirname, '../bin/godwit.js')

/** A service manager: it prints every datagram with the process that sent it, by the word of the kernel. */
const LISTENER = `
import json, socket, struct, sys
name = sys.argv[1]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
listener.bind('\\0' + name[1:] if name[0] == '@' else name)
print(json.dumps(['bound', 0]), flush=True)
while True:
    message, extra, _, _ = listener.recvmsg(4096, 256)
    print(json.dumps([message.decode(), struct.unpack('3i', extra[0][2])[0]]), flush=True)
`

let folder: string
/** What the running test started; ended last first. */
let ends: Array<() => Promise<unknown>>
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-notify-'))
  ends = []
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  fs.rmSync(folder, { recursive: true })
})

async function serverWith(env: Readonly<Record<string, string>>) {
  const server = await launchGodwit({ env })
  ends.push(() => server.stop())
  return server
}

async function listenAt(name: string) {
  const process = spawn('/usr/bin/python3', ['-c', LISTENER, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(async () => {
    const ended = once(process, 'exit')
    process.kill()
    await ended
  })
  const received: Array<{ readonly message: string; readonly pid: number }> = []
  createInterface(process.stdout).on('line', (line) => {
    const [message, pid] = JSON.parse(line) as [string, number]
    received.push({ message, pid })
  })
  await expect.poll(() => received).toHaveLength(1)
  return { received, messages: () => received.slice(1).map(({ message }) => message) }
}

describe('a service manager', () => {
  it.each([
    ['a path', () => path.join(folder, 'notify')],
    ['an abstract name', () => `@${path.join(folder, 'notify')}`],
  ])('hears at %s from the process itself when it listens, starts anew and ends', async (_kind, name) => {
    const manager = await listenAt(name())
    const server = await serverWith({ NOTIFY_SOCKET: name() })
    const ready = expect.stringMatching(/^READY=1\nSTATUS=Listens on http:\/\/\S+$/) as string
    await expect.poll(manager.messages).toEqual([ready])
    await promisify(execFile)(process.execPath, [GODWIT, 'server', 'restart', '--data', server.data])
    const reloading = expect.stringMatching(/^RELOADING=1\nMONOTONIC_USEC=\d+$/) as string
    await expect.poll(manager.messages, { timeout: 60_000 }).toEqual([ready, reloading, ready])
    expect((await server.end('SIGTERM')).code).toBe(0)
    await expect.poll(manager.messages).toEqual([ready, reloading, ready, 'STOPPING=1'])
    expect(new Set(manager.received.slice(1).map(({ pid }) => pid))).toEqual(new Set([server.pid]))
  })

  it('that watches over the process hears from it again and again, and one that watches another does not', async () => {
    const socket = path.join(folder, 'notify')
    const manager = await listenAt(socket)
    const watched = await serverWith({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '100000' })
    await expect.poll(() => manager.messages().filter((each) => each === 'WATCHDOG=1').length).toBeGreaterThan(2)
    await watched.end('SIGTERM')
    await expect.poll(manager.messages).toContain('STOPPING=1')
    const elsewhere = path.join(folder, 'elsewhere')
    const second = await listenAt(elsewhere)
    const other = await serverWith({ NOTIFY_SOCKET: elsewhere, WATCHDOG_USEC: '1000', WATCHDOG_PID: '1' })
    await other.end('SIGTERM')
    const ready = expect.stringMatching(/^READY=1/) as string
    await expect.poll(second.messages).toEqual([ready, 'STOPPING=1'])
  })

  it.each([
    ['is away', () => path.join(folder, 'nobody')],
    ['has a path that is too long', () => path.join(folder, 'x'.repeat(120))],
  ])('that %s is a warning in the log; the server serves', async (_case, name) => {
    const server = await serverWith({ NOTIFY_SOCKET: name() })
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await expect.poll(server.output).toContain('the service manager could not be notified')
  })
})
