import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { encodePassword, FULL_PERMISSION } from '@godwit/contract'
import { security } from '@godwit/contract/table/security'
import { signIn } from '@godwit/sdk'
import { launchGodwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlerAmong } from '../../apps/client/src/testing/xdg.ts'
import { makePackages } from '../package.ts'
import { addLibrariesOf, makeBareSystem, runInside } from './bare-system.ts'
import { runTool } from './run-tool.ts'

/** The two that are made with what every Debian has; `packages.torture.test.ts` makes all of them. */
describe('npm run package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-packages-'))
  let deb = ''
  let gwt = ''

  beforeAll(async () => {
    const out = join(folder, 'out')
    ;[deb = '', gwt = ''] = await makePackages({ out, types: ['deb', 'gwt'], isQuick: true })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('makes a deb that installs into a bare system, and its client uploads from there', async () => {
    const root = join(folder, 'system')
    await makeBareSystem(root)
    await runTool('dpkg', [`--root=${root}`, '--force-depends', '--force-not-root', '-i', deb])
    await addLibrariesOf(root, 'usr/lib/godwit-client')
    expect(await runInside(root, ['/usr/bin/godwit-client', '--version'])).toBe('godwit-client 1.0.0\n')
    expect(existsSync(join(root, 'usr/lib/godwit-client/app/web/client.html'))).toBe(true)
    const manual = gunzipSync(readFileSync(join(root, 'usr/share/man/man1/godwit-client.1.gz'))).toString()
    expect(manual).toMatch(/^\.TH GODWIT-CLIENT 1 /)
    expect(manual).toContain('.B up PATH... FOLDER')
    const entry = readFileSync(join(root, 'usr/share/applications/godwit-client.desktop'), 'utf8')
    expect(entry).toContain('Exec=/usr/bin/godwit-client open -- %u\n')
    const menuFiles = ['kio/servicemenus/godwit-client.desktop', 'Thunar/sendto/godwit-client.desktop']
    for (const file of [...menuFiles, 'nemo/actions/godwit-client.nemo_action'])
      expect(readFileSync(join(root, 'usr/share', file), 'utf8')).toMatch(
        /^Exec=\/usr\/bin\/godwit-client send -- %[FU]$/m,
      )
    expect(handlerAmong(join(root, 'usr/share'))).toBe('godwit-client.desktop')

    const server = await launchGodwit({ data: join(folder, 'data') })
    try {
      const godwit = await signIn({ server: server.url, ...server.administrator })
      const password = encodePassword(server.administrator.password)
      const body = { name: 'installed', permission: FULL_PERMISSION, days: 1, password }
      const { token } = await godwit.api.call(security.createApiToken, { body })
      writeFileSync(join(root, 'tmp/token'), token)
      writeFileSync(join(root, 'tmp/hello.txt'), 'sent by an installed client')
      await runInside(root, ['/usr/bin/godwit-client', 'login', server.url, '--token-file', '/tmp/token'])
      await runInside(root, ['/usr/bin/godwit-client', 'up', '/tmp/hello.txt', '/'])
      const { stream } = await godwit.download('/hello.txt')
      expect(await new Response(stream).text()).toBe('sent by an installed client')
    } finally {
      await server.stop()
    }
  })

  it('makes a gwt of one file that needs no node, no search path and no other file', async () => {
    const nothing = join(folder, 'nothing')
    mkdirSync(nothing)
    const env = { PATH: nothing, HOME: join(folder, 'home'), GWT_CODE: 'k3fm-9qtw-x2hp' }
    for (const start of ['first', 'second']) expect(await runTool(gwt, ['--version'], env), start).toMatch(/^gwt \d/)
    // Both sides, the disk threads, and the native parts: without them there is no batched I/O.
    const measured = await runTool(gwt, ['bench', '--size', '8M', '--json'], env)
    expect(measured).toContain('batched')
    expect(measured).not.toContain('not available')
  })
})
