import fs from 'node:fs'
import path from 'node:path'
import { freePort, launch } from '@godwit/testkit'
import { call } from '../wire.ts'
import type { Rival } from './rival.types.ts'

/** What Node itself reaches, for the bytes alone: the limit of every server written for it. */
export async function bareNode(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const program = path.join(import.meta.dirname, 'bare-bytes.ts')
  const server = await launch([process.execPath, program, folder, String(port)], {
    isReady: (output) => output.includes('ready'),
  })
  const base = `http://127.0.0.1:${port}`
  return {
    name: 'limit: bare Node, no hash',
    pid: server.pid,
    folder,
    upload: async (name, size) => {
      await call({ method: 'PUT', url: `${base}/${name}`, size })
    },
    download: (name) => Promise.resolve({ url: `${base}/${name}`, headers: {} }),
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
    },
  }
}
