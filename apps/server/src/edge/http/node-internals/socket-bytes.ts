import fs from 'node:fs'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

interface WithDescriptor {
  readonly _handle?: { readonly fd?: number } | null
}

/** Whether there is a descriptor below a connection from which its bytes can be read. Some platforms and kinds of connection have none. */
export function hasDescriptor(socket: Socket): boolean {
  return descriptorOf(socket) >= 0
}

/** Asked for each time: once a connection is closed, its number may be that of another one, or of a file. */
function descriptorOf(socket: Socket): number {
  // Below a TLS connection lies the cipher text, and its records must reach the cipher whole.
  if (socket instanceof TLSSocket) return -1
  return (socket as WithDescriptor)._handle?.fd ?? -1
}

/**
 * Takes what has already arrived, without waiting. Only while the stream itself holds nothing: its bytes come first.
 * @returns bytes read; 0 when there are none now. An end or a fault of the connection is met by the stream's own next read.
 */
export function takeArrived(socket: Socket, into: Uint8Array): number {
  const descriptor = descriptorOf(socket)
  if (descriptor < 0) return 0
  try {
    return fs.readSync(descriptor, into)
  } catch {
    // EAGAIN: nothing there. Whatever else is wrong stays wrong.
    return 0
  }
}
