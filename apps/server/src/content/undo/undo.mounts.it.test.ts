import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'

const HERE = ['box/inner.txt', 'box/sub/deep.txt', 'box/new/more.txt']
const THERE = ['box/inner.txt', 'box/own.txt', 'box/sub/own.txt']

describe('an undone move to a virtual directory on another storage', { timeout: 120_000 }, () => {
  let site: Site
  let mei: Login
  let folder = ''
  let cases = 0

  beforeAll(async () => {
    site = await openSite()
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-undo-'))
    await site.addUser('mei')
    fs.mkdirSync(path.join(folder, 'files/old'), { recursive: true })
    for (const words of [
      `storage add --name Archive --kind local --folder ${folder}/files`,
      'mount add Archive --account mei --storage 2 --folder old',
      'settings set versions.keep 3',
    ])
      requireCode(await site.cli(words), 0)
    mei = await site.signIn('mei')
  }, 120_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    cases++
    for (const [top, names] of [
      [`/case-${cases}`, HERE],
      [`/Archive/case-${cases}`, THERE],
    ] as const) {
      const folders = ['', '/box', '/box/sub', '/box/new', '/box/hull'].map((name) => top + name)
      for (const one of folders) {
        const input = { folder: path.posix.dirname(one), name: path.posix.basename(one) }
        if (names === HERE || !one.endsWith('new')) requireCode((await site.call(mei.token, 'mkdir', input)).code, 200)
      }
      for (const name of names) {
        const upload = await site.upload(
          mei.token,
          path.posix.basename(name),
          Buffer.from(`${top}/${name}`),
          path.posix.dirname(`${top}/${name}`),
        )
        requireCode(upload.code, 200)
      }
    }
  })

  /** Files and folders of both places as they are on their disks, and what is booked. */
  async function state(): Promise<string> {
    const { data } = await site.call(mei.token, 'usage', {})
    const found = [site.home('mei'), path.join(folder, 'files/old')].flatMap((root) => {
      const names = fs.readdirSync(path.join(root, `case-${cases}`), { recursive: true, encoding: 'utf8' })
      return names.toSorted().map((name) => {
        const file = path.join(root, `case-${cases}`, name)
        return fs.statSync(file).isFile() ? `${name} ${fs.readFileSync(file, 'utf8')}` : name
      })
    })
    return JSON.stringify([found, data], undefined, 1)
  }

  it.each([
    ['merged folders there', (top: string) => ({ paths: [`${top}/box`], target: `/Archive${top}` })],
    ['merged folders at home', (top: string) => ({ paths: [`/Archive${top}/box`], target: top })],
    [
      'had nothing to bring but an empty folder that was there',
      (top: string) => ({ paths: [`${top}/box/hull`], target: `/Archive${top}/box` }),
    ],
  ])('has all where it was before, when it %s', async (_, input) => {
    const before = await state()
    const moved = await site.runJob(mei.token, 'move', { ...input(`/case-${cases}`), conflict: 'replace' })
    expect([moved.job?.state, moved.job?.failures, moved.job?.canUndo]).toEqual(['completed', [], true])
    expect(await state()).not.toBe(before)
    const undone = await site.runJob(mei.token, 'undo', { jobId: moved.job?.jobId })
    expect([undone.job?.state, undone.job?.failures]).toEqual(['completed', []])
    expect(await state()).toBe(before)
  })
})

function requireCode(code: number | undefined, wanted: number): void {
  if (code !== wanted) throw new Error(`answered ${code}`)
}
