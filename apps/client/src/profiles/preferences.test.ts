import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { downloadFolder, readPreferences, resolveAllowed, writePreferences } from './preferences.ts'

describe('what pages may reach of this computer', () => {
  let folder = ''
  let environment: NodeJS.ProcessEnv = {}
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-preferences-'))
    environment = { GODWIT_CLIENT_HOME: join(folder, 'home') }
    mkdirSync(join(folder, 'open/inner'), { recursive: true })
    mkdirSync(join(folder, 'open-not'))
    writeFileSync(join(folder, 'open/inner/film.mov'), 'x')
    writeFileSync(join(folder, 'secret'), 'x')
    symlinkSync(join(folder, 'secret'), join(folder, 'open/link'))
    symlinkSync(folder, join(folder, 'open/up'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is nothing before somebody at the computer allows a folder', async () => {
    const preferences = await readPreferences(environment)
    expect(await resolveAllowed(preferences, join(folder, 'open'))).toBe('not-allowed')
    expect(downloadFolder(preferences)).toBe(join(homedir(), 'Downloads', 'Godwit'))
  })

  it('is then that folder with all below it, and nothing beside it, above it or behind its links', async () => {
    await writePreferences(environment, { allowed: [join(folder, 'open')] })
    const preferences = await writePreferences(environment, { downloads: join(folder, 'in') })
    expect(downloadFolder(preferences)).toBe(join(folder, 'in'))
    const allowed = (path: string): ReturnType<typeof resolveAllowed> => resolveAllowed(preferences, path)
    expect(await allowed(join(folder, 'open'))).toEqual({ path: join(folder, 'open') })
    expect(await allowed(join(folder, 'open/inner/film.mov'))).toEqual({ path: join(folder, 'open/inner/film.mov') })
    expect(await allowed(join(folder, 'open/absent'))).toBe('not-found')
    for (const path of ['open-not', 'secret', '.', 'open/link', 'open/up', 'open/up/secret', 'absent'])
      expect(await allowed(join(folder, path)), path).toBe('not-allowed')
    for (const path of [`${folder}/open/../secret`, 'open', '', '~', `${folder}/open\0`])
      expect(await allowed(path), path).toBe('not-allowed')
  })
})

describe('preferences', () => {
  it('have no watched folder that an older version kept as a server sent it, and could not be followed', async () => {
    const home = mkdtempSync(join(tmpdir(), 'godwit-preferences-'))
    const environment = { GODWIT_CLIENT_HOME: home }
    const older = { root: '/scans', server: 'https://one', account: 'mei', spaceId: 1, groupId: 0, target: '/in' }
    const good = [older, { ...older, direction: 'upload' }, { ...older, direction: 'download', sync: { restMs: 0 } }]
    const bad = [
      ...[null, 'x', { ...older, direction: 'twoWay' }, { ...older, direction: null }, { ...older, spaceId: {} }],
      ...[
        { ...older, groupId: 0.5 },
        { ...older, target: 7 },
        { ...older, sync: { restMs: 'long' } },
      ],
      ...[
        { ...older, sync: null },
        { ...older, root: undefined },
      ],
    ]
    writeFileSync(join(home, 'preferences.json'), JSON.stringify({ watches: [...bad, ...good] }))
    expect((await readPreferences(environment)).watches).toEqual(good)
    rmSync(home, { recursive: true })
  })

  it('keep every change, though they come at once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'godwit-preferences-'))
    const environment = { GODWIT_CLIENT_HOME: home }
    const names = Array.from({ length: 20 }, (_, at) => `/folder ${at}`)
    await Promise.all([
      writePreferences(environment, { pausedUntil: 0 }),
      ...names.map((name) => writePreferences(environment, ({ allowed }) => ({ allowed: [...allowed, name] }))),
      writePreferences(environment, { rateMbps: 7 }),
    ])
    expect(await readPreferences(environment)).toMatchObject({ pausedUntil: 0, allowed: names, rateMbps: 7 })
    const refused = writePreferences(environment, () => {
      throw new Error('not like this')
    })
    await expect(refused).rejects.toThrow('not like this')
    await writePreferences(environment, { pausedUntil: 5 })
    expect(await readPreferences(environment)).toMatchObject({ pausedUntil: 5, allowed: names, rateMbps: 7 })
    rmSync(home, { recursive: true })
  })
})
