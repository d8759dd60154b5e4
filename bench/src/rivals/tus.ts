import fs from 'node:fs'
import path from 'node:path'
import http from 'node:http'
import { call, inParallel } from '../wire.ts'
import { startProgram } from './node-program.ts'
import type { Rival } from './rival.types.ts'

/** `@tus/server` with its file store, one PATCH a file. It acknowledges before anything is durable. */
export async function tus(work: string): Promise<Rival> {
  const folder = path.join(work, 'files')
  fs.mkdirSync(folder, { recursive: true })
  const server = await startProgram('tus.server.ts', folder)
  const base = server.url
  const agent = new http.Agent({ keepAlive: true })
  const upload = async (_name: string, size: number): Promise<void> => {
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': String(size) }
    const created = await call({ method: 'POST', url: `${base}/files`, headers, agent })
    const content = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const url = new URL(created.headers.location ?? '', base).href
    await call({ method: 'PATCH', url, headers: content, size, agent })
  }
  return {
    name: '@tus/server file store (not durable)',
    pid: server.pid,
    folder,
    upload,
    uploadMany: async (_target, count, size) => inParallel(count, 10, async (index) => upload(`f${index}.bin`, size)),
    download: (name) => Promise.resolve({ url: `${base}/files/${name}`, headers: {} }),
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await server.end()
    },
  }
}
