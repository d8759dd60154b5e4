import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GwtProgram } from '../testing/programs.ts'
import { writeSmallFiles } from './small-files.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gwt-memory-'))))
afterEach(() => rm(folder, { recursive: true }))

describe('the memory of a receiver', () => {
  it('stays below 300 MiB on its first start, while 40,000 small files arrive as fast as its disk takes them', async () => {
    writeSmallFiles(join(folder, 'source'), 40_000)
    const words = ['--host', '127.0.0.1', '--port', '0', '--once']
    const receiver = new GwtProgram(['recv', join(folder, 'in'), ...words])
    const { port } = await receiver.named('listening')
    const sender = new GwtProgram(['send', join(folder, 'source'), `127.0.0.1:${String(port)}`])
    const stats = await receiver.named('stats')
    expect(await sender.named('done')).toMatchObject({ failures: [] })
    expect(Number(stats['peakMemoryBytes'])).toBeLessThan(300 * MiB)
  })
})
