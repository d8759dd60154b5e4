/** Why a datagram or a frame was refused. Never leaves the process; the peer sees at most a close code. */
export type WireFault = 'truncated' | 'varint' | 'frame-type' | 'ack-range' | 'length' | 'overflow' | 'flow-control'

/** The only error that decoders throw. */
export class WireError extends Error {
  readonly fault: WireFault

  constructor(fault: WireFault) {
    super(`malformed GWT/1 input: ${fault}`)
    this.name = 'WireError'
    this.fault = fault
  }
}

/** Codes of CLOSE frames (protocol.md, section 9). */
export const CLOSE_CODES = {
  done: 0,
  internal: 1,
  protocol: 2,
  flowControl: 3,
  cancelled: 4,
  denied: 5,
  sourceChanged: 6,
  idle: 7,
  movedToTcp: 8,
} as const
