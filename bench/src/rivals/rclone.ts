import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, launch } from '@godwit/testkit'
import { call, inParallel } from '../wire.ts'
import type { Rival } from './rival.types.ts'

/** `rclone serve webdav` on a local folder. */
export async function rclone(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const port = await freePort()
  // Without any cache of folders it reads a folder anew for each file put into it, and 10,000 files never end.
  const options = ['--addr', `127.0.0.1:${port}`, '--vfs-cache-mode', 'off', '--dir-cache-time', '1s']
  const server = await launch(['rclone', 'serve', 'webdav', folder, ...options], {
    isReady: async () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    env: { RCLONE_CONFIG: path.join(work, 'rclone.conf') },
  })
  const url = `http://127.0.0.1:${port}`
  const put = async (name: string, size: number): Promise<void> => {
    await call({ method: 'PUT', url: `${url}/${name}`, size })
  }
  return {
    name: 'rclone serve webdav (not durable)',
    pid: server.pid,
    folder,
    upload: put,
    async uploadMany(target, count, size) {
      await call({ method: 'MKCOL', url: `${url}/${target}` })
      await inParallel(count, 10, async (index) => put(`${target}/f${index}.bin`, size))
    },
    download: (name) => Promise.resolve({ url: `${url}/${name}`, headers: {} }),
    async list(name) {
      // It sees new entries on the disk only when its folder cache has expired.
      while (!(await fetch(`${url}/${name}/`, { method: 'PROPFIND', headers: { depth: '0' } })).ok) await sleep(100)
      const begun = performance.now()
      const { body } = await call({ method: 'PROPFIND', url: `${url}/${name}/`, headers: { depth: '1' } })
      const wholeMs = performance.now() - begun
      return { firstMs: wholeMs, wholeMs, entries: body.toString('latin1').split('<D:response>').length - 2 }
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
    },
  }
}
