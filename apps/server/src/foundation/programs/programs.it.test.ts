import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPrograms, type Programs } from './programs.ts'

describe('programs of event hooks', () => {
  let home = ''
  let folder = ''
  let programs: Programs
  const write = async (name: string, script: string, mode = 0o755): Promise<void> => {
    await fs.writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`)
    await fs.chmod(path.join(folder, name), mode)
  }
  const run = (program: string, more: { words?: string[]; waitSeconds?: number; signal?: AbortSignal } = {}) =>
    programs.run(
      {
        ...{ program, arguments: more.words ?? [], waitSeconds: more.waitSeconds ?? 20 },
        ...{ id: 'd1', event: 'file.committed', body: '{"data":{"path":"/a; touch $HOME b"}}' },
      },
      more.signal ?? new AbortController().signal,
    )
  /** A process that was killed and that nobody has asked about yet is dead all the same. */
  const isAlive = async (pid: number): Promise<boolean> => {
    const state = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return state !== '' && !/\) [ZX] /.test(state)
  }
  /** The pid that a program wrote down. */
  const pidIn = async (name: string): Promise<number> => {
    await expect.poll(() => fs.readFile(path.join(home, name), 'utf8').catch(() => '')).toMatch(/^\d+\n$/)
    return Number(await fs.readFile(path.join(home, name), 'utf8'))
  }

  beforeAll(async () => {
    home = await fs.mkdtemp(path.join(tmpdir(), 'godwit-hooks-'))
    folder = path.join(home, 'programs')
    await fs.mkdir(folder, { mode: 0o755 })
    programs = createPrograms(folder)
  })
  afterAll(async () => fs.rm(home, { recursive: true, force: true }))

  it('get what happened on their input and their arguments apart, and nothing of the environment', async () => {
    process.env['GODWIT_TEST_SECRET'] = 'of the server'
    await write('show', 'for each in "$@"; do echo "[$each]"; done; cat; echo; env')
    const { answer, ...outcome } = await run('show', { words: ['two words', '$(id)', '--x'] })
    delete process.env['GODWIT_TEST_SECRET']
    expect(outcome).toEqual({ isDelivered: true, status: 0, reason: null })
    expect(answer).toContain('[two words] [$(id)] [--x] {"data":{"path":"/a; touch $HOME b"}}')
    expect(answer).toContain('GODWIT_EVENT=file.committed')
    expect(answer).not.toContain('of the server')
  })

  it('fail with their exit code and what they printed', async () => {
    await write('fail', 'echo no room >&2; exit 3')
    expect(await run('fail')).toEqual({ isDelivered: false, status: 3, reason: 'exit', answer: 'no room' })
  })

  it('that never end are ended with all that they started', async () => {
    await write('hang', `sleep 600 & echo $! > "${home}/child"; trap '' TERM; wait; sleep 600`)
    const begun = Date.now()
    expect(await run('hang', { waitSeconds: 1 })).toMatchObject({ isDelivered: false, status: null, reason: 'timeout' })
    expect(Date.now() - begun).toBeLessThan(10_000)
    const pid = await pidIn('child')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('leave nothing behind when they end', async () => {
    await write('leave', `sleep 600 > /dev/null 2>&1 & echo $! > "${home}/left"; exit 0`)
    expect(await run('leave')).toMatchObject({ isDelivered: true })
    const pid = await pidIn('left')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('are ended when they print without end, and when the server stops', async () => {
    await write('shout', 'yes')
    expect(await run('shout')).toMatchObject({ isDelivered: false, reason: 'output' })
    await write('stay', `echo $$ > "${home}/stay"; sleep 600`)
    const stopping = new AbortController()
    const running = run('stay', { signal: stopping.signal })
    const pid = await pidIn('stay')
    stopping.abort(new Error('the server stops'))
    await expect(running).rejects.toThrow('the server stops')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('are files of the folder itself that only their owner can write', async () => {
    await write('fine', 'exit 0')
    await write('plain', 'exit 0', 0o644)
    await write('shared', 'exit 0', 0o777)
    await fs.symlink('/bin/sh', path.join(folder, 'link'))
    await fs.mkdir(path.join(folder, 'inner'))
    const faults = ['link', 'inner', 'plain', 'shared', 'absent', '../home', '/bin/sh', '..', ''].map(async (name) => {
      const found = await programs.find(name)
      return 'fault' in found ? found.fault : 'found'
    })
    expect(await Promise.all(faults)).toEqual([
      ...[
        'outside',
        'not-executable',
        'not-executable',
        'writable',
        'missing',
        'outside',
        'outside',
        'outside',
        'outside',
      ],
    ])
    expect(await programs.list()).toContain('fine')
    expect(await programs.list()).not.toContain('shared')
    expect(await run('link')).toMatchObject({ isDelivered: false, reason: 'missing', answer: 'outside' })
    expect(await createPrograms('').list()).toBeNull()
    expect(await createPrograms('').find('fine')).toEqual({ fault: 'off' })
    await fs.chmod(folder, 0o777)
    expect(await programs.find('fine')).toEqual({ fault: 'writable' })
    await fs.chmod(folder, 0o755)
  })
})
