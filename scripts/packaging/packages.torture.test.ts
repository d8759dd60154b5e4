import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlerAmong } from '../../apps/client/src/testing/xdg.ts'
import { makePackages } from '../package.ts'
import { requireSystemPackages } from '../system-packages.ts'
import { addLibrariesOf, makeBareSystem, runInside } from './bare-system.ts'
import { placePackage } from './npm-parts.ts'
import { PLATFORMS } from './platforms.ts'
import { runTool } from './run-tool.ts'
import { assertNative } from './tree.ts'

describe('the packages of other systems, as npm run package makes them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-packages-'))
  const fileOf = (type: string): string => join(folder, 'out', `godwit-client.${type}`)

  beforeAll(async () => {
    const lacking = await requireSystemPackages('package')
    if (lacking !== undefined) throw new Error(lacking)
    await makePackages({ out: join(folder, 'out'), types: ['rpm', 'exe', 'dmg'], isQuick: false })
  }, 1_800_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('install as an rpm into a bare system', async () => {
    const root = join(folder, 'system')
    await makeBareSystem(root)
    await runTool('rpm', ['--root', root, '--initdb'])
    await runTool('rpm', ['--root', root, '-i', '--nodeps', fileOf('rpm')])
    await addLibrariesOf(root, 'usr/lib/godwit-client')
    expect(await runInside(root, ['/usr/bin/godwit-client', '--version'])).toBe('godwit-client 1.0.0\n')
    expect(handlerAmong(join(root, 'usr/share'))).toBe('godwit-client.desktop')
  })

  it.each(PLATFORMS.filter(({ type }) => type === 'exe' || type === 'dmg'))(
    'have as $type every native part for $machine, and the runtime as its makers signed it',
    async (platform) => {
      const content = join(folder, platform.type)
      await runTool('7z', ['x', '-y', '-bso0', '-bsp0', `-o${content}`, fileOf(platform.type)])
      const files = readdirSync(content, { recursive: true, encoding: 'utf8' })
      const program = basename(platform.runtime.program)
      const runtime = files.find((file) => basename(file) === program) ?? program
      const tree = dirname(join(content, runtime))
      await assertNative(platform, tree)
      const original = join(folder, `${platform.type}-runtime`)
      await placePackage(platform.runtime.name, original)
      const signed = readFileSync(join(original, platform.runtime.program))
      expect(readFileSync(join(content, runtime)).equals(signed)).toBe(true)
      expect(readdirSync(join(tree, 'app'))).toContain('godwit-client.js')
    },
  )
})
