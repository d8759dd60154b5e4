import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { GiB, MiB } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { launchGodwit } from '@godwit/testkit'
import { expect, it } from 'vitest'

const LANES = 4
const PART_BYTES = 32 * MiB

/** Memory of a process that is really there, in bytes. */
function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

for (const size of [4 * GiB - 1, 4 * GiB + 1]) {
  it(`stores ${size} bytes with equal hashes and flat memory (fault plan, row 22)`, async () => {
    const part = Buffer.alloc(PART_BYTES, 'godwit')
    const sent = createHash('sha256')
    for (let at = 0; at < size; at += PART_BYTES) sent.update(part.subarray(0, Math.min(PART_BYTES, size - at)))
    const sha256 = sent.digest('hex')
    const server = await launchGodwit()
    try {
      const { account, password } = server.administrator
      let token = ''
      const call = async (method: string, where: string, body?: unknown) => {
        const json = body === undefined ? {} : { 'content-type': 'application/json' }
        const answer = await fetch(server.url + where, {
          method,
          headers: { authorization: `Bearer ${token}`, ...json },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const envelope = (await answer.json()) as { readonly code: number; readonly data: Record<string, unknown> }
        expect(envelope.code).toBe(200)
        return envelope.data
      }
      token = String((await call('POST', '/api/user/login', { account, password: encodePassword(password) }))['token'])
      const begun = await call('POST', '/api/uploads', {
        folder: '/',
        filename: 'large.bin',
        size,
        partSize: PART_BYTES,
      })
      const id = String(begun['uploadId'])
      expect(begun['partSize']).toBe(PART_BYTES)
      const offsets = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => index * PART_BYTES)
      const before = residentBytes(server.pid)
      let most = before
      const lane = async (): Promise<void> => {
        for (let offset = offsets.shift(); offset !== undefined; offset = offsets.shift()) {
          const answer = await fetch(`${server.url}/api/uploads/${id}/parts/${offset}`, {
            method: 'PUT',
            headers: { authorization: `Bearer ${token}` },
            body: part.subarray(0, Math.min(PART_BYTES, size - offset)),
          })
          expect(answer.status).toBe(200)
          await answer.arrayBuffer()
          most = Math.max(most, residentBytes(server.pid))
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      expect(await call('POST', `/api/uploads/${id}/complete`, { sha256 })).toMatchObject({ sha256, size })
      const stored = createHash('sha256')
      for await (const chunk of fs.createReadStream(path.join(server.data, 'files/users/admin/large.bin'))) {
        stored.update(chunk as Buffer)
      }
      expect(stored.digest('hex')).toBe(sha256)
      expect(most - before).toBeLessThan(64 * MiB + LANES * 8 * MiB)
    } finally {
      await server.stop()
    }
  })
}
