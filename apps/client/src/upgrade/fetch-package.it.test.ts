import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KiB } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchPackage } from './fetch-package.ts'

const SIZE = 300 * KiB
/** The server hangs up after so much of an answer. */
const CUT = 64 * KiB

describe('a package', () => {
  const bytes = createHash('shake256', { outputLength: SIZE }).update('package').digest()
  const wanted = {
    ...({ type: 'tgz', platform: 'linux-x64', file: 'godwit-client.tgz', size: SIZE } as const),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  let folder: string
  let server: Server
  let served: Buffer
  let cut: number
  let asked: number[]

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-fetch-'))
    ;[served, cut, asked] = [bytes, Infinity, []]
    server = createServer((req, res) => {
      const from = Number(/bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0)
      const rest = served.subarray(from)
      res.writeHead(from === 0 ? 200 : 206, {
        'content-length': rest.length,
        ...(from === 0 ? {} : { 'content-range': `bytes ${from}-${served.length - 1}/${served.length}` }),
      })
      if (rest.length <= cut) res.end(rest)
      else res.write(rest.subarray(0, cut), () => void hangUp(res, from))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A line that breaks before its reader has looked brings nothing, so it breaks once some of it is on the disk. */
  const hangUp = async (res: ServerResponse, from: number): Promise<void> => {
    const part = join(folder, `${wanted.sha256}.tgz.part`)
    if (cut > 0) await expect.poll(() => (existsSync(part) ? statSync(part).size : 0)).toBeGreaterThan(from)
    res.socket?.end()
  }
  const fetchIt = (signal = new AbortController().signal): Promise<string> => {
    const ask = (from: number): Promise<Response> => {
      asked.push(from)
      const { port } = server.address() as AddressInfo
      return fetch(`http://127.0.0.1:${port}/`, { headers: from === 0 ? {} : { range: `bytes=${from}-` }, signal })
    }
    return fetchPackage({ folder, ask, signal, againMs: 1 }, wanted)
  }

  it('arrives whole over lost connections', async () => {
    cut = CUT
    expect(readFileSync(await fetchIt()).equals(bytes)).toBe(true)
    // What a connection brought before it broke is never asked for again.
    expect(asked).toEqual(asked.toSorted((one, other) => one - other))
    expect(asked.at(-1)).toBeGreaterThan(SIZE - 2 * CUT)
    // And once it is here nobody is asked any more.
    asked = []
    await fetchIt()
    expect(asked).toEqual([])
  })

  it('goes on at the byte where an earlier program was killed', async () => {
    writeFileSync(join(folder, `${wanted.sha256}.tgz.part`), bytes.subarray(0, 100_001))
    expect(readFileSync(await fetchIt()).equals(bytes)).toBe(true)
    expect(asked).toEqual([100_001])
  })

  it('that differs in one byte is thrown away', async () => {
    served = Buffer.from(bytes)
    served.writeUInt8(served.readUInt8(SIZE - 1) ^ 1, SIZE - 1)
    await expect(fetchIt()).rejects.toMatchObject({ reason: 'altered' })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['shorter', bytes.subarray(0, SIZE - 1)],
    ['longer', Buffer.concat([bytes, Buffer.from('x')])],
  ])('that is %s than signed is refused', async (_, other) => {
    served = other
    await expect(fetchIt()).rejects.toMatchObject({ reason: 'altered' })
    expect(asked).toHaveLength(1)
  })

  it('that never arrives is given up', async () => {
    cut = 0
    await expect(fetchIt()).rejects.toMatchObject({ reason: 'not-fetched' })
    expect(asked).toEqual([0, 0, 0, 0, 0, 0])
  })
})
