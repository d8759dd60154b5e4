import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { commandSite } from './testing/command-site.ts'

const site = commandSite()
const { godwit } = site

describe('godwit storage', () => {
  const bucket = 'storage add --name Bucket --kind s3-compatible --bucket none --endpoint http://127.0.0.1:1'

  it('asks for the secret of a bucket, and adds none that does not answer', async () => {
    expect(await godwit(`${bucket} --access-key id`)).toBe(EXIT.usage)
    expect(site.err).toContain('--secret-file is missing, and there is no terminal to ask at')
    const asked: string[] = []
    const askSecret = (question: string) => Promise.resolve(asked.push(question)).then(() => 'Planted-Secret-9x')
    expect(await godwit(`${bucket} --access-key id --path-style`, { askSecret })).toBe(EXIT.refused)
    expect(asked).toEqual(['Secret of the access key: '])
    expect(site.err).toContain('[4005] {"step":"list"}')
    await godwit('storage list --json')
    expect(JSON.parse(site.out)).toMatchObject([{ id: 1, name: 'Local', error: '' }])
    expect(site.out + site.err).not.toContain('Planted')
  })
  it('tests, chooses and removes', async () => {
    const folder = `${site.world.folder}-other`
    expect(await godwit(`storage add --name Other --kind local --folder ${folder}`)).toBe(0)
    for (const id of [1, 2]) expect(await godwit(`storage test ${id}`)).toBe(EXIT.ok)
    expect(await godwit('storage default 2')).toBe(0)
    expect(await godwit('storage remove 2')).toBe(EXIT.refused)
    expect(await godwit('storage default 1')).toBe(0)
    expect(await godwit('storage list')).toBe(0)
    expect(site.out).toMatch(/^1 +Local +local .*\n +spaces: 1 \(default\); places: 0; ok, 20/)
    expect(await godwit('storage remove 2')).toBe(0)
    expect(await godwit('storage test 2')).toBe(EXIT.refused)
    expect(site.err).toContain('[4007]')
    fs.rmSync(folder, { recursive: true })
  })
  it.each(['--kind nfs', '--kind local', '--kind local --folder here', '--kind local --folder /tmp/x --space 9'])(
    'refuses %s',
    async (words) => expect(await godwit(`storage add --name X ${words}`)).not.toBe(0),
  )
})
