import { openDgramPort } from './dgram.port.ts'
import type { DatagramPort, PortOptions } from './port.types.ts'

/** `auto`: the batched backend where it works, else the portable one. */
export type Backend = 'auto' | 'portable' | 'batched'

export interface OpenedPort {
  readonly port: DatagramPort
  /** Why the portable backend is in use, in words; undefined when it was requested or the batched one is in use. */
  readonly fallback: string | undefined
}

/** @throws Error when `batched` is demanded and does not work, or when no backend can bind */
export async function openPort(backend: Backend, options: PortOptions): Promise<OpenedPort> {
  if (backend === 'portable') return { port: await openDgramPort(options), fallback: undefined }
  const unfit = unfitPlatform()
  if (unfit === undefined) {
    try {
      // Loaded only here: on a platform without the native package the portable backend must still work.
      const { openBatchPort } = await import('./batch.port.ts')
      return { port: openBatchPort(options), fallback: undefined }
    } catch (error) {
      if (backend === 'batched') throw error
      const reason = error instanceof Error ? error.message : 'unknown'
      return { port: await openDgramPort(options), fallback: `batched I/O not available: ${reason}` }
    }
  }
  if (backend === 'batched') throw new Error(unfit)
  return { port: await openDgramPort(options), fallback: unfit }
}

function unfitPlatform(): string | undefined {
  if (process.platform !== 'linux') return `batched I/O is built for Linux, this is ${process.platform}`
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    return `batched I/O is built for x64 and arm64, this is ${process.arch}`
  return undefined
}
