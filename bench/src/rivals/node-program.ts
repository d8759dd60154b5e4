import path from 'node:path'
import { freePort, launch } from '@godwit/testkit'

export interface NodeProgram {
  readonly pid: number
  /** Address of the server. */
  readonly url: string
  end(): Promise<void>
}

/** Starts a server of this folder, which takes the folder to serve and a port, and says when it is ready. */
export async function startProgram(name: string, folder: string): Promise<NodeProgram> {
  const port = await freePort()
  const program = await launch([process.execPath, path.join(import.meta.dirname, name), folder, String(port)], {
    isReady: (output) => output.includes('ready'),
  })
  return { pid: program.pid, url: `http://127.0.0.1:${port}`, end: async () => void (await program.end('SIGTERM')) }
}
