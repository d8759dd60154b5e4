import fs from 'node:fs'
import type { Socket } from 'node:net'

interface WithDescriptor {
  readonly _handle?: { readonly fd?: number } | null
}

/** @returns the descriptor below a connection; undefined where a platform or a kind of connection has none */
export function descriptorOf(socket: Socket): number | undefined {
  const fd = (socket as WithDescriptor)._handle?.fd
  return fd === undefined || fd < 0 ? undefined : fd
}

/**
 * Takes what has already arrived, without waiting. Only while the stream itself holds nothing: its bytes come first.
 * @returns bytes read; 0 when there are none now. An end or a fault of the connection is met by the stream's own next read.
 */
export function takeArrived(descriptor: number, into: Uint8Array): number {
  try {
    return fs.readSync(descriptor, into)
  } catch {
    // EAGAIN: nothing there. Whatever else is wrong stays wrong.
    return 0
  }
}
