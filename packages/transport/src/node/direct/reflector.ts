import type { UdpHub } from '../connections/udp-hub.ts'
import { readReflect, writeReflected } from './probes.ts'

/** Answers who shows a ticket with the address that its datagram came from, and nobody else. Keeps nothing. */
export function reflectAddresses(hub: UdpHub, isValid: (ticket: Uint8Array) => boolean): void {
  hub.onProbe = (datagram, from) => {
    const question = readReflect(datagram)
    if (question === undefined || !isValid(question.ticket)) return false
    // The port knows the address once it has been told that the datagram is genuine.
    setImmediate(() => {
      const seen = hub.port.endpointOf(from)
      if (seen === undefined) return
      const answer = writeReflected(question.nonce, `${seen.host.replace(/^::ffff:/, '')} ${seen.port}`)
      hub.port.send(from, { buffer: answer, length: answer.length, segmentSize: answer.length })
    })
    return true
  }
}
