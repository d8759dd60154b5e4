import fs from 'node:fs'
import path from 'node:path'
import { call } from '../wire.ts'
import { startProgram } from './node-program.ts'
import type { Rival } from './rival.types.ts'

/** What Node itself reaches, for the bytes alone: the limit of every server written for it. */
export async function bareNode(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const server = await startProgram('bare-bytes.ts', folder)
  return {
    name: 'limit: bare Node, no hash',
    pid: server.pid,
    folder,
    upload: async (name, size) => {
      await call({ method: 'PUT', url: `${server.url}/${name}`, size })
    },
    download: (name) => Promise.resolve({ url: `${server.url}/${name}`, headers: {} }),
    async [Symbol.asyncDispose]() {
      await server.end()
    },
  }
}
