import { encodePassword } from '@godwit/contract'
import { launchGodwit } from '@godwit/testkit'
import { MiB } from '@godwit/base'
import { expect, it } from 'vitest'
import { mayMount, mountSmallDisk } from '../../testing/loop-disks.ts'

interface Envelope {
  readonly code: number
  readonly data: Readonly<Record<string, unknown>>
}

it.runIf(mayMount)(
  'says that the disk is full, keeps a reserve, and goes on when there is room again (row 05) [mounts a disk]',
  async () => {
    await using disk = await mountSmallDisk(128)
    const server = await launchGodwit({ data: disk.folder, flags: ['--storage-reserve-bytes', String(64 * MiB)] })
    try {
      const { account, password } = server.administrator
      let token = ''
      const call = async (method: string, where: string, body?: unknown, bytes?: Uint8Array<ArrayBuffer>) => {
        const answer = await fetch(server.url + where, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: bytes ?? (body === undefined ? null : JSON.stringify(body)),
        })
        return (await answer.json()) as Envelope
      }
      const signIn = async () => call('POST', '/api/user/login', { account, password: encodePassword(password) })
      const create = async (filename: string, size: number) =>
        call('POST', '/api/uploads', { folder: '/', filename, size, partSize: MiB, resume: false })
      token = String((await signIn()).data['token'])

      expect((await create('too-big.bin', 100 * MiB)).code).toBe(4009)
      // Two that fit one by one but not together: the disk says no in the middle, the bytes before it stay.
      const [first = '', second = ''] = [await create('a.bin', 40 * MiB), await create('b.bin', 40 * MiB)].map(
        ({ data }) => String(data['uploadId']),
      )
      const fill = async (id = '') => {
        for (let part = 0; part < 40; part++) {
          const { code } = await call('PUT', `/api/uploads/${id}/parts/${part * MiB}`, undefined, new Uint8Array(MiB))
          if (code !== 200) return code
        }
        return 200
      }
      expect(await fill(first)).toBe(200)
      expect(await fill(second)).toBe(4009)
      expect((await signIn()).code).toBe(200)
      const stopped = await call('GET', `/api/uploads/${second}`)
      expect([stopped.code, stopped.data['state']]).toEqual([200, 'open'])

      expect((await call('DELETE', `/api/uploads/${first}`)).code).toBe(200)
      expect(await fill(second)).toBe(200)
      expect((await call('POST', `/api/uploads/${second}/complete`, {})).code).toBe(200)
    } finally {
      await server.stop()
    }
  },
)
