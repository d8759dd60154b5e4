import type http from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections between two requests that Node's server does not know meanwhile. One that it knows must bring a request
 * within seconds; one that is kept may wait longer.
 */
export class KeptConnections {
  readonly #server: http.Server
  readonly #idle = new Set<Socket>()

  constructor(server: http.Server) {
    this.#server = server
  }

  /**
   * Gives the connection back to the server with the first byte of its next request.
   * @param surplus bytes of that request which were read already
   * @param onReturn called before that
   */
  waitForNext(socket: Socket, surplus: Buffer, onReturn: () => void): void {
    const stop = (): void => {
      this.#idle.delete(socket)
      socket.off('data', begin).off('end', end).off('timeout', end).off('close', stop)
      socket.setTimeout(0)
    }
    const end = (): void => {
      stop()
      socket.destroySoon()
    }
    const begin = (first: Buffer): void => {
      stop()
      onReturn()
      socket.unshift(first)
      this.#server.emit('connection', socket)
      socket.resume()
    }
    if (surplus.length > 0) return begin(surplus)
    this.#idle.add(socket)
    socket.setTimeout(this.#server.keepAliveTimeout)
    socket.on('data', begin).on('end', end).on('timeout', end).on('close', stop)
    socket.resume()
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy()
  }
}
