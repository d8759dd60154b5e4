import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemKeyring } from './keyring.ts'
import { openProfiles, writeWhole } from './profile.ts'

const FIRST = { server: 'https://one.example.org', account: 'mei', token: 'gwt_first' }
const SECOND = { server: 'https://two.example.org', account: 'mei', token: 'gwt_second' }

/** As `secret-tool` behaves, with a file as the keyring. */
const SECRET_TOOL = `#!/bin/sh
command=$1; shift
[ "$command" = store ] && shift
case "$command" in
  store) cat > "$KEYRING_FILE" ;;
  lookup) [ -f "$KEYRING_FILE" ] && cat "$KEYRING_FILE" ;;
  clear) rm "$KEYRING_FILE" ;;
esac
`

describe('what the client keeps', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-profiles-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = (): string => join(folder, 'profiles.json')

  it('is several sign-ins, the last one first, in a file of its owner alone', async () => {
    const profiles = openProfiles({ GODWIT_CLIENT_HOME: folder }, undefined)
    expect(await profiles.read({})).toBeUndefined()
    expect(await profiles.write(FIRST)).toBe('file')
    await profiles.write(SECOND)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(await profiles.read({})).toEqual(SECOND)
    expect(await profiles.read({ server: FIRST.server })).toEqual(FIRST)
    expect(await profiles.read({ account: 'tom' })).toBeUndefined()
    await profiles.write({ ...FIRST, token: 'gwt_new' })
    expect(await profiles.list()).toEqual([
      { server: FIRST.server, account: 'mei' },
      { server: SECOND.server, account: 'mei' },
    ])
    await profiles.remove(FIRST)
    expect(await profiles.list()).toEqual([{ server: SECOND.server, account: 'mei' }])
  })

  it('is written whole, however many write at once', async () => {
    const home = mkdtempSync(join(tmpdir(), 'godwit-whole-'))
    const file = join(home, 'kept')
    const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(5_000))
    await Promise.all(texts.map((text) => writeWhole(home, file, text)))
    expect(readdirSync(home)).toEqual(['kept'])
    expect(texts).toContain(readFileSync(file, 'utf8'))
    rmSync(home, { recursive: true })
  })

  it('gives way to the environment', async () => {
    const environment = { GODWIT_CLIENT_HOME: folder, GODWIT_SERVER: 'https://three', GODWIT_TOKEN: 'gwt_3' }
    const profiles = openProfiles(environment, undefined)
    await profiles.write(FIRST)
    expect(await profiles.read({})).toEqual({ server: 'https://three', account: '', token: 'gwt_3' })
  })

  it('leaves the token to the keyring where there is one, and never on a disk', async () => {
    writeFileSync(join(folder, 'secret-tool'), SECRET_TOOL)
    chmodSync(join(folder, 'secret-tool'), 0o700)
    const environment = { PATH: `${folder}:${process.env['PATH']}`, KEYRING_FILE: join(folder, 'ring') }
    const profiles = openProfiles({ GODWIT_CLIENT_HOME: folder }, systemKeyring(environment))
    expect(await profiles.write(FIRST)).toBe('keyring')
    expect(readFileSync(file(), 'utf8')).not.toContain(FIRST.token)
    expect(await profiles.read({})).toEqual(FIRST)
    await profiles.remove(FIRST)
    expect(() => statSync(environment.KEYRING_FILE)).toThrow('ENOENT')
  })

  it('keeps the token in the file where the keyring does not take it, or there is none', async () => {
    writeFileSync(join(folder, 'secret-tool'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(folder, 'secret-tool'), 0o700)
    for (const path of [folder, join(folder, 'nowhere')]) {
      const profiles = openProfiles({ GODWIT_CLIENT_HOME: folder }, systemKeyring({ PATH: `${path}:/bin` }))
      expect(await profiles.write(FIRST)).toBe('file')
      expect(await profiles.read({})).toEqual(FIRST)
    }
  })
})
