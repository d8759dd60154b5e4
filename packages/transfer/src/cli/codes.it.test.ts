import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Challenge,
  type ClientProof,
  connect,
  type Connection,
  listen,
  type Listener,
} from '@godwit/transport/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { challengeCode, CLIENT_TLS, proveCode, SERVER_TLS } from '../codes/code-proof.ts'
import { GwtProgram, TEST_CODE } from '../testing/programs.ts'
import { runGwt } from '../testing/run-gwt.ts'
import { EXIT } from './arguments.ts'

const opened: Array<{ close(): unknown }> = []
let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gwt-codes-'))))
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close()
  await rm(folder, { recursive: true })
})

interface Server {
  readonly listener: Listener
  readonly connections: Connection[]
  readonly outcomes: boolean[]
}

/** A server that knows a code, and remembers whom it took in. */
async function serve(authorize?: () => Challenge | string): Promise<Server> {
  const server = { connections: [] as Connection[], outcomes: [] as boolean[] }
  const listener = await listen({
    host: '127.0.0.1',
    tls: SERVER_TLS,
    authorize(share, _peer, channel) {
      if (authorize !== undefined) return authorize()
      const challenge = challengeCode(TEST_CODE, { share, channel }, { settings: {}, onProven: () => undefined })
      if (challenge === undefined) return 'not a proof'
      const confirm = (proof: Uint8Array): boolean => {
        const isProven = challenge.confirm(proof)
        server.outcomes.push(isProven)
        return isProven
      }
      return { ...challenge, confirm }
    },
    onConnection(connection) {
      void ended(connection)
      server.connections.push(connection)
    },
  })
  opened.push(listener)
  return { listener, ...server }
}

async function call({ listener }: Server, proof?: ClientProof): Promise<Connection> {
  const { host, port } = listener.local
  const connection = await connect({
    host,
    port,
    tls: CLIENT_TLS,
    udp: 'off',
    ...(proof === undefined ? {} : { proof }),
  })
  opened.push({ close: () => connection.close(0, 'done') })
  return connection
}

function ended(connection: Connection): Promise<{ reason: string }> {
  return new Promise((resolve) =>
    connection.start({
      source: { read: () => true },
      data: () => undefined,
      acked: () => undefined,
      pathChanged: () => undefined,
      closed: resolve,
    }),
  )
}

describe('a receiver that knows a code', () => {
  it('takes in who proves it, and nobody else; each connection has one guess', async () => {
    const server = await serve()
    await expect(call(server, proveCode('another code of mine'))).rejects.toThrow('the server proved nothing')
    const wrong = { ...proveCode(TEST_CODE), confirm: () => new Uint8Array(64) }
    expect(await ended(await call(server, wrong))).toMatchObject({ reason: 'not proven' })
    expect(server.connections).toHaveLength(0)
    await call(server, proveCode(TEST_CODE))
    while (server.connections.length === 0) await new Promise(setImmediate)
    expect(server.outcomes).toEqual([false, true])
  })

  it('keeps nothing of somebody who begins a proof, sends files and never ends it', async () => {
    const server = await serve()
    const silent = { ...proveCode(TEST_CODE), confirm: () => Uint8Array.of(1) }
    const connection = await call(server, silent)
    connection.send(1, 0, 8 * 2 ** 20)
    await ended(connection)
    expect(server.connections).toHaveLength(0)
  })

  it('is not believed when it proves nothing, or somebody else answers in its place', async () => {
    const server = await serve(() => ({ settings: {}, answer: new Uint8Array(0), confirm: () => true }))
    await expect(call(server, proveCode(TEST_CODE))).rejects.toThrow('the server proved nothing')
    const mute = await listen({
      host: '127.0.0.1',
      tls: SERVER_TLS,
      onConnection: (connection) => void ended(connection),
    })
    opened.push(mute)
    await expect(call({ ...server, listener: mute }, proveCode(TEST_CODE))).rejects.toThrow('the server proved nothing')
  })
})

describe('the code of gwt', () => {
  it('is made and shown by recv, and typed, read from a file or the environment; nowhere is it in the command line', async () => {
    const receiver = new GwtProgram(['recv', join(folder, 'in'), '--host', '127.0.0.1', '--port', '0'], { code: '' })
    opened.push({ close: () => receiver.stop() })
    const { port, code } = await receiver.named('listening')
    expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    const lines = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    )
    expect(lines.some((line) => line.includes(join(folder, 'in')))).toBe(true)
    expect(lines.filter((line) => line.includes(String(code)))).toEqual([])

    await writeFile(join(folder, 'a'), 'hello')
    await writeFile(join(folder, 'code'), `${String(code).toUpperCase()}\n`)
    const words = ['send', join(folder, 'a'), `127.0.0.1:${String(port)}`]
    const byFile = await runGwt([...words, '--code-file', join(folder, 'code')])
    const byInput = await runGwt([...words, '--code', '-'], { input: Buffer.from(`${String(code)}\n`) })
    const byVariable = await runGwt(words, { env: { GWT_CODE: String(code) } })
    expect([byFile.code, byInput.code, byVariable.code]).toEqual([EXIT.done, EXIT.done, EXIT.done])
    const without = await runGwt(words, { env: { GWT_CODE: '' } })
    expect([without.code, without.stderr]).toEqual([EXIT.usage, expect.stringContaining('the code is empty')])
  })

  it('is refused in the command line, and when it is easy to guess', async () => {
    const seen = await runGwt(['recv', join(folder, 'in'), '--code', 'abc'])
    expect([seen.code, seen.stderr]).toEqual([EXIT.usage, expect.stringContaining('can be read by everybody')])
    const weak = await runGwt(['recv', join(folder, 'in')], { env: { GWT_CODE: 'abc' } })
    expect([weak.code, weak.stderr]).toEqual([EXIT.usage, expect.stringContaining('too easy to guess')])
  })

  it('can be guessed five times at once, then the right one has to wait as well', async () => {
    const receiver = new GwtProgram(['recv', join(folder, 'in'), '--host', '127.0.0.1', '--port', '0'])
    opened.push({ close: () => receiver.stop() })
    const { port } = await receiver.named('listening')
    const guess = (code: string): Promise<string> =>
      connect({ host: '127.0.0.1', port: Number(port), tls: CLIENT_TLS, udp: 'off', proof: proveCode(code) }).then(
        (connection) => {
          connection.close(0, 'done')
          return 'taken'
        },
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
    const first: string[] = []
    for (let count = 0; count < 5; count++) first.push(await guess(`wrong code number ${count}`))
    expect(new Set(first)).toEqual(new Set(['the server proved nothing']))
    expect(await guess(TEST_CODE)).toContain('too many wrong codes')
    expect(await receiver.named('refused')).toMatchObject({ host: '127.0.0.1' })
  })
})
