import fs from 'node:fs'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { mayTrace, setTrap, TRACED_ENV, type Point } from '../../testing/traced-threads.ts'

const UPLOAD_FAILED = ERRORS.UPLOAD_FAILED.wire
const SIZE = 3 * MiB

let site: Site
let token = ''

beforeEach(async () => {
  site = await openSite({ env: TRACED_ENV })
  token = (await site.signIn('admin')).token
  await site.upload(token, 'warm', Buffer.from('warm'))
})
afterEach(async () => site[Symbol.asyncDispose]())

interface Outcome {
  readonly wasHit: boolean
  /** Codes of the parts and of the completion, up to the first that is not 200. */
  readonly codes: ReadonlyArray<number | undefined>
  readonly state: string
}

function nameAt({ thread, syscall, when }: Omit<Point, 'effect'>): string {
  return `${thread}-${syscall}-${when}`
}

async function uploadWith(point: Omit<Point, 'effect'>): Promise<Outcome> {
  const filename = nameAt(point)
  const json = { folder: '/', filename, size: SIZE, partSize: MiB, resume: false }
  const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
  const at = `/api/uploads/${String(data['uploadId'])}`
  const codes: Array<number | undefined> = []
  await using trap = await setTrap(site.godwit.pid, { ...point, effect: 'error=EIO' })
  for (let part = 0; part < SIZE && !codes.some((code) => code !== 200); part += MiB) {
    const body = Buffer.alloc(MiB, part / MiB)
    codes.push((await site.ask({ method: 'PUT', path: `${at}/parts/${part}`, token, body })).code)
  }
  if (!codes.some((code) => code !== 200)) {
    codes.push((await site.ask({ method: 'POST', path: `${at}/complete`, token, json: {} })).code)
  }
  const after = await site.ask({ path: at, token })
  return { wasHit: trap.wasHit(), codes, state: String(after.data['state']) }
}

it.runIf(mayTrace)(
  'an upload whose flush fails is never acknowledged, at no flush of it, and the server goes on (row 06) [traces]',
  async () => {
    const home = site.home('admin')
    for (let when = 1; ; when++) {
      const point = { thread: 'files', syscall: 'fdatasync', when } as const
      const { wasHit, codes, state } = await uploadWith(point)
      if (!wasHit) break
      // A file whose flush failed may have lost anything: nothing of it counts, and no second try makes it count.
      expect([when, codes.at(-1), state]).toEqual([when, UPLOAD_FAILED, 'failed'])
      expect(fs.existsSync(path.join(home, nameAt(point)))).toBe(false)
      expect((await site.ask({ path: '/healthz' })).status).toBe(200)
    }
    expect((await site.upload(token, 'later', Buffer.alloc(SIZE, 9))).code).toBe(200)
    expect(await site.cli('verify --all')).toBe(0)
  },
)

it.runIf(mayTrace)(
  'what the flush of a folder or of the database did not take is not acknowledged either (row 06) [traces]',
  async () => {
    for (const [thread, syscall] of [
      ['files', 'fsync'],
      ['main', 'fsync'],
    ] as const) {
      let hits = 0
      for (let when = 1; ; when++) {
        const { wasHit, codes, state } = await uploadWith({ thread, syscall, when })
        if (!wasHit) break
        hits++
        // Either the call that met the failure was answered with an error, or it was a flush that no caller waits for.
        expect([thread, when, codes.at(-1) === 200]).toEqual([thread, when, state === 'completed'])
        expect((await site.ask({ path: '/healthz' })).status).toBe(200)
      }
      expect(hits).toBeGreaterThan(0)
    }
    expect((await site.upload(token, 'later', Buffer.alloc(SIZE, 9))).code).toBe(200)
    expect(await site.cli('verify --all')).toBe(0)
  },
)
