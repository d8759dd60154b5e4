import net, { type AddressInfo } from 'node:net'

/** A mail server that begins an answer and goes on with it for ever. */
export async function openEndless() {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write('220 mail.example.org\r\n')
    socket.once('data', () => {
      const answer = setInterval(() => socket.write('250-wait\r\n'), 100)
      socket.once('close', () => clearInterval(answer))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    callers: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
