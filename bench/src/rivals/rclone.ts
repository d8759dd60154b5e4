import fs from 'node:fs'
import path from 'node:path'
import { freePort, launch } from '@godwit/testkit'
import { call, inParallel, occurrences } from '../wire.ts'
import type { Rival } from './rival.types.ts'

/** `rclone serve webdav` on a local folder. */
export async function rclone(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const port = await freePort()
  // Its cache of folders stays as it is by default: with a short one it reads a large folder again for every entry.
  const remote = `127.0.0.1:${await freePort()}`
  const options = [
    '--addr',
    `127.0.0.1:${port}`,
    '--vfs-cache-mode',
    'off',
    '--rc',
    '--rc-addr',
    remote,
    '--rc-no-auth',
  ]
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
    async forget() {
      await call({ method: 'POST', url: `http://${remote}/vfs/forget` })
    },
    async list(name) {
      const begun = performance.now()
      const { body } = await call({ method: 'PROPFIND', url: `${url}/${name}/`, headers: { depth: '1' } })
      const wholeMs = performance.now() - begun
      return { firstMs: wholeMs, wholeMs, entries: occurrences(body, '<D:response>') - 1 }
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
    },
  }
}
