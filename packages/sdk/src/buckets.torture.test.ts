import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, openSync, closeSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GiB, MiB } from '@godwit/base'
import { launchBucketService, launchGodwit, run } from '@godwit/testkit'
import { expect, it } from 'vitest'
import { signIn } from './index.ts'
import { uploadFile } from './node.ts'
import { durableBytes } from './testing/durable-bytes.ts'

const SIZE = 2 * GiB
const KILLS = 20

it.each(['s3', 'azure'] as const)(
  'a file of 2 GiB onto %s loses no acknowledged byte in 20 kills of the server',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-bucket-kills-'))
    const service = await launchBucketService(kind, 4 * SIZE)
    const data = join(folder, 'data')
    await service.adopt(data)
    let server = await launchGodwit({ data })
    try {
      const file = join(folder, 'large.bin')
      writeLarge(file)
      const godwit = await signIn({ server: server.url, ...server.administrator })
      let kills = 0
      let restarting: Promise<void> | undefined
      const restart = async (): Promise<void> => {
        await server.end('SIGKILL')
        expect(durableBytes(data)).toBeGreaterThanOrEqual(acknowledged)
        server = await launchGodwit({ data, port: Number(new URL(server.url).port) })
        kills++
        restarting = undefined
      }
      let acknowledged = 0
      const sent = await uploadFile(godwit, file, '/large.bin', {
        onProgress: ({ bytesDone }) => {
          acknowledged = bytesDone
          const isDue = kills < KILLS && bytesDone >= ((kills + 1) * SIZE) / (KILLS + 1)
          if (isDue) restarting ??= restart()
        },
      })
      await restarting
      expect(kills).toBe(KILLS)
      expect(sent).toMatchObject({ state: 'completed', size: SIZE })
      const stored = service.rclone('hashsum', 'sha256', '--download', service.pathOf('files/users/admin/large.bin'))
      expect(await run(stored, { timeoutMs: 600_000 })).toContain(await sha256(file))
    } finally {
      await server.end('SIGKILL')
      await service.stop()
      rmSync(folder, { recursive: true })
    }
  },
  3_600_000,
)

/** Every MiB of it differs from every other one. */
function writeLarge(file: string): void {
  const target = openSync(file, 'w')
  for (let at = 0; at < SIZE; at += MiB)
    writeSync(target, createHash('shake256', { outputLength: MiB }).update(String(at)).digest())
  closeSync(target)
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file, { highWaterMark: MiB })) hash.update(piece as Uint8Array)
  return hash.digest('hex')
}
