import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import type { UnixSettings } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSystemAccounts } from '../../../foundation/system-accounts/index.ts'
import { providerSuite } from '../../../testing/provider-suite.ts'
import type { PasswordSource } from '../provider.types.ts'
import { unixProvider } from './unix.provider.ts'

/** Accounts that every Debian has; their passwords are those of the test's own PAM stack alone. */
const PEOPLE = [
  ['daemon', 'secret of daemon'],
  ['backup', 'secret of backup'],
  ['root', 'secret of root'],
] as const
/** A name that only the PAM stack knows. */
const STRANGER = ['mei', 'secret of mei'] as const

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-pam-'))
  const module = fs
    .readdirSync('/usr/lib')
    .map((name) => `/usr/lib/${name}/pam_wrapper/pam_matrix.so`)
    .find((file) => fs.existsSync(file))
  const passwords = path.join(folder, 'passwords')
  const lines = [...PEOPLE, STRANGER].map(([login, password]) => `${login}:${password}:godwit\n`)
  fs.writeFileSync(passwords, lines.join(''))
  const stack = (...auth: readonly string[]) =>
    [...auth.map((line) => `auth ${line}`), `account required ${module} passdb=${passwords}`, ''].join('\n')
  const matrix = `required ${module} passdb=${passwords}`
  const services = {
    godwit: stack(matrix),
    everybody: 'auth required pam_permit.so\naccount required pam_permit.so\n',
    nowhere: stack('required pam_absent_module.so'),
    // Passes only a password that comes on standard input, and hangs with it.
    slow: stack(`requisite pam_exec.so quiet expose_authtok ${path.join(folder, 'hang')}`),
    expired: 'auth required pam_permit.so\naccount required pam_deny.so\n',
  }
  for (const [name, text] of Object.entries(services)) fs.writeFileSync(path.join(folder, name), text)
  fs.writeFileSync(path.join(folder, 'hang'), `#!/bin/sh\necho $$ > ${folder}/hanging\nexec sleep 600\n`, {
    mode: 0o755,
  })
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

function open(change: Partial<UnixSettings> = {}): PasswordSource {
  const settings = { service: 'godwit', minUid: 1, groups: [], permission: 6, createAtSignIn: true, ...change }
  const system = createSystemAccounts({ folder })
  return unixProvider({ clock: systemClock, random: secureRandom }, settings, system)
}

providerSuite('Unix', {
  provider: () => open(),
  silent: () => open({ service: 'nowhere' }),
  login: 'daemon',
  password: 'secret of daemon',
  stranger: 'godwit-stranger',
  person: { login: 'daemon' },
})

describe('an account of the operating system', () => {
  it('has its number, its groups, and nobody else’s', async () => {
    const groups = [
      { name: 'daemon', groupId: 7 },
      { name: 'backup', groupId: 8 },
    ]
    const [uid] = execFileSync('id', ['-u', 'daemon'], { encoding: 'utf8' }).split('\n')
    expect(await open({ groups }).check('daemon', 'secret of daemon')).toMatchObject({
      ...{ key: `${uid}:daemon`, groupIds: [7], name: 'daemon', email: undefined, isDisabled: false },
    })
  })

  it('of the system itself is nobody, whatever its password', async () => {
    expect(await open({ minUid: 1000 }).check('daemon', 'secret of daemon')).toBe('unknown')
    expect(await open().check('root', 'secret of root')).toBe('unknown')
    // PAM knows the name, the system has no such account.
    expect(await open().check(...STRANGER)).toBe('unknown')
    for (const login of ['-v', '../daemon', 'daemon ', 'daemon\n', '$(id)', 'x'.repeat(300)])
      expect(await open().check(login, 'secret of daemon')).toBe('unknown')
  })

  it('that may not sign in any more is refused, and a service that takes everybody fails its test', async () => {
    expect(await open({ service: 'expired' }).check('daemon', 'anything')).toBe('wrong')
    await expect(open({ service: 'everybody' }).test(undefined)).rejects.toMatchObject({
      ...{ code: 'AUTH_SERVICE_ACCEPTS_ANYBODY', details: { step: 'refusal', field: 'service' } },
    })
  })

  it('is tested with its service file first', async () => {
    const somebody = { login: 'backup', password: 'secret of backup' }
    const { steps, person } = await open().test(somebody)
    expect(steps.map(({ step }) => step)).toEqual(['service', 'refusal', 'password'])
    expect(person).toMatchObject({ login: 'backup' })
    await expect(open({ service: 'absent' }).test(somebody)).rejects.toMatchObject({
      ...{ code: 'PAM_SERVICE_MISSING', details: { step: 'service', field: 'service' } },
    })
    await expect(open().test({ ...somebody, password: 'wrong' })).rejects.toMatchObject({
      ...{ code: 'SYSTEM_PASSWORD_WRONG', details: { step: 'password' } },
    })
    await expect(open().test({ ...somebody, login: 'absent' })).rejects.toMatchObject({
      ...{ code: 'SYSTEM_PASSWORD_WRONG', details: { step: 'account' } },
    })
  })

  it('is given up after its time, with everything that its modules started', async () => {
    const asked = open({ service: 'slow' }).check('daemon', 'secret of daemon', 2000)
    await expect(asked).rejects.toMatchObject({ code: 'SYSTEM_ACCOUNTS_UNREACHABLE', details: { reason: 'timeout' } })
    const pid = Number(fs.readFileSync(path.join(folder, 'hanging'), 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('waits for its turn, and is refused when too many do', async () => {
    const provider = open()
    const all = await Promise.allSettled(Array.from({ length: 24 }, () => provider.check('daemon', 'wrong')))
    const reasons = all.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []))
    const busy = { code: 'SYSTEM_ACCOUNTS_UNREACHABLE', details: expect.objectContaining({ reason: 'busy' }) as object }
    // On a slow machine some of those that waited were given up as well.
    expect(reasons.slice(-8)).toEqual(Array.from({ length: 8 }, () => expect.objectContaining(busy) as object))
    expect(all.some((each) => each.status === 'fulfilled' && each.value === 'wrong')).toBe(true)
  })
})

/** Not ended and waiting to be collected either. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    // It is gone.
    return false
  }
}
