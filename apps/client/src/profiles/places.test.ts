import { describe, expect, it } from 'vitest'
import { type PlaceFacts, placesOf } from './places.ts'

const LINUX = { system: 'linux', environment: {}, home: '/home/mei', isThere: () => false } as const
const WINDOWS = {
  ...LINUX,
  system: 'win32',
  home: String.raw`C:\Users\Mei`,
  environment: {
    APPDATA: String.raw`C:\Users\Mei\AppData\Roaming`,
    LOCALAPPDATA: String.raw`D:\Local`,
  },
} as const
const MAC = { ...LINUX, system: 'darwin', home: '/Users/mei' } as const

/** Finds what lies at exactly these paths. */
const among =
  (...paths: readonly string[]): PlaceFacts['isThere'] =>
  (path) =>
    paths.includes(path)

const all = (folder: string): object => ({ config: folder, state: folder, cache: folder })

describe('the folders of the client', () => {
  it('are those of the XDG specification on Linux', () => {
    expect(placesOf(LINUX)).toEqual({
      config: '/home/mei/.config/godwit-client',
      state: '/home/mei/.local/state/godwit-client',
      cache: '/home/mei/.cache/godwit-client',
    })
    const environment = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' }
    expect(placesOf({ ...LINUX, environment })).toEqual({
      ...{ config: '/c/godwit-client', state: '/s/godwit-client', cache: '/k/godwit-client' },
    })
  })

  it('do not follow a variable that is empty or no absolute path', () => {
    const environment = { XDG_CONFIG_HOME: '', XDG_STATE_HOME: 'state', XDG_CACHE_HOME: './cache' }
    expect(placesOf({ ...LINUX, environment })).toEqual(placesOf(LINUX))
    expect(placesOf({ ...WINDOWS, environment: { APPDATA: 'x', LOCALAPPDATA: '' } })).toEqual({
      config: String.raw`C:\Users\Mei\AppData\Roaming\godwit-client`,
      state: String.raw`C:\Users\Mei\AppData\Local\godwit-client\State`,
      cache: String.raw`C:\Users\Mei\AppData\Local\godwit-client\Cache`,
    })
  })

  it('are those of the user on Windows: what may roam, and what stays on this computer', () => {
    expect(placesOf(WINDOWS)).toEqual({
      config: String.raw`C:\Users\Mei\AppData\Roaming\godwit-client`,
      state: String.raw`D:\Local\godwit-client\State`,
      cache: String.raw`D:\Local\godwit-client\Cache`,
    })
  })

  it('lie in the Library on macOS, whatever Linux has variables for', () => {
    const expected = {
      config: '/Users/mei/Library/Application Support/godwit-client',
      state: '/Users/mei/Library/Application Support/godwit-client',
      cache: '/Users/mei/Library/Caches/godwit-client',
    }
    expect(placesOf(MAC)).toEqual(expected)
    expect(placesOf({ ...MAC, environment: { XDG_STATE_HOME: '/s' } })).toEqual(expected)
  })

  it.each(['device-id', 'queue.db', 'tasks'])('stay the one folder that an older version left %s in', (name) => {
    const old = '/home/mei/.config/godwit-client'
    expect(placesOf({ ...LINUX, isThere: among(`${old}/${name}`) })).toEqual(all(old))
    const moved = { XDG_CONFIG_HOME: '/c' }
    expect(placesOf({ ...LINUX, environment: moved, isThere: among(`/c/godwit-client/${name}`) })).toEqual(
      all('/c/godwit-client'),
    )
    const oldMac = '/Users/mei/.config/godwit-client'
    expect(placesOf({ ...MAC, isThere: among(`${oldMac}/${name}`) })).toEqual(all(oldMac))
  })

  it('keep the sign-in of an older version on every system', () => {
    const file = '/home/mei/.config/godwit-client/profiles.json'
    expect(placesOf({ ...LINUX, isThere: among(file) })).toEqual(placesOf(LINUX))
    const old = String.raw`C:\Users\Mei\.config\godwit-client`
    expect(placesOf({ ...WINDOWS, isThere: among(`${old}\\profiles.json`) })).toEqual(all(old))
  })

  it('are the one that GODWIT_CLIENT_HOME names, on every system', () => {
    for (const facts of [LINUX, WINDOWS, MAC]) {
      const environment = { ...facts.environment, GODWIT_CLIENT_HOME: '/elsewhere' }
      expect(placesOf({ ...facts, environment, isThere: () => true })).toEqual(all('/elsewhere'))
    }
  })
})
