import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClientProgram } from '../testing/client-program.ts'
import { readPreferences } from './preferences.ts'

describe('a client on a computer', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-places-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const client = async (...words: readonly string[]): Promise<void> => {
    const variables = { XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '', GODWIT_CLIENT_HOME: '' }
    expect(await new ClientProgram(words, { ...variables, HOME: folder }).exitCode()).toBe(0)
  }
  const has = (path: string): boolean => existsSync(join(folder, path))

  it('keeps preferences and queue where its system has them, or all in the folder that --config names', async () => {
    await Promise.all([client('filters', 'add', '*.tmp'), client('queue')])
    expect(has('.config/godwit-client/preferences.json')).toBe(true)
    expect(has('.local/state/godwit-client/queue.db')).toBe(true)
    expect(has('.config/godwit-client/queue.db')).toBe(false)
    const named = join(folder, 'named')
    await Promise.all([client('filters', 'add', '*.bak', '--config', named), client('queue', '--config', named)])
    expect(has('named/preferences.json') && has('named/queue.db')).toBe(true)
  })

  it('keeps what several programs add at the same moment', async () => {
    const patterns = Array.from({ length: 6 }, (_, at) => `*.${at}`)
    await Promise.all(patterns.map((pattern) => client('filters', 'add', pattern)))
    const { exclude } = await readPreferences({ GODWIT_CLIENT_HOME: join(folder, '.config/godwit-client') })
    expect(exclude.toSorted()).toEqual(patterns)
  })

  it('goes on with the folder of an older version', async () => {
    mkdirSync(join(folder, '.config/godwit-client'), { recursive: true })
    writeFileSync(join(folder, '.config/godwit-client/device-id'), 'a'.repeat(32))
    await client('queue')
    expect(has('.config/godwit-client/queue.db')).toBe(true)
    expect(has('.local')).toBe(false)
  })
})
