import type { SuiteName } from '../suites/keys.ts'

/** Version of the control messages. The packets of GWT/1 carry their own. */
const CONTROL_VERSION = 2
/** Longest ticket: what the application lets the client show to the server. */
export const MAX_TICKET_BYTES = 4096
/** Longest proof of a server, and of a client. */
export const MAX_PROOF_BYTES = 1024
const HELLO_HEAD_BYTES = 5
const WELCOME_HEAD_BYTES = 4
/** The longest frame of a peer that has not proven who it is: HELLO, or the shorter JOIN and CONFIRM. */
export const MAX_FIRST_PAYLOAD = HELLO_HEAD_BYTES + MAX_TICKET_BYTES

const SUITE_IDS: Record<SuiteName, number> = { 'aes-256-gcm': 1, 'chacha20-poly1305': 2, 'aes-256-gmac': 3 }

export interface Hello {
  readonly suite: SuiteName
  readonly udp: boolean
  /** Largest UDP payload this side wants to receive and send. */
  readonly packetSize: number
  readonly ticket: Uint8Array
}

export interface Welcome {
  /** 0: no UDP here. */
  readonly udpPort: number
  readonly packetSize: number
  /** The server's proof; empty when none was requested. */
  readonly proof: Uint8Array
}

export interface Join {
  readonly connectionId: Uint8Array
  readonly proof: Uint8Array
}

export interface DataHead {
  readonly object: number
  readonly offset: number
}

/** Bytes before the data of a DATA frame: object 4, offset 8. */
export const DATA_HEAD_BYTES = 12

export function writeHello(hello: Hello): Uint8Array {
  const out = Buffer.alloc(HELLO_HEAD_BYTES + hello.ticket.length)
  out.writeUInt8(CONTROL_VERSION, 0)
  out.writeUInt8(SUITE_IDS[hello.suite], 1)
  out.writeUInt8(hello.udp ? 1 : 0, 2)
  out.writeUInt16BE(hello.packetSize, 3)
  out.set(hello.ticket, HELLO_HEAD_BYTES)
  return out
}

/** Undefined when the message is not one this version understands. */
export function readHello(payload: Uint8Array): Hello | undefined {
  const [version, suiteId, flags] = payload
  if (payload.length < HELLO_HEAD_BYTES || payload.length > MAX_FIRST_PAYLOAD || version !== CONTROL_VERSION)
    return undefined
  const suite = (Object.keys(SUITE_IDS) as SuiteName[]).find((name) => SUITE_IDS[name] === suiteId)
  if (suite === undefined) return undefined
  return {
    suite,
    udp: flags === 1,
    packetSize: viewOf(payload).getUint16(3),
    ticket: copyOf(payload.subarray(HELLO_HEAD_BYTES)),
  }
}

export function writeWelcome(welcome: Welcome): Uint8Array {
  const out = Buffer.alloc(WELCOME_HEAD_BYTES + welcome.proof.length)
  out.writeUInt16BE(welcome.udpPort, 0)
  out.writeUInt16BE(welcome.packetSize, 2)
  out.set(welcome.proof, WELCOME_HEAD_BYTES)
  return out
}

export function readWelcome(payload: Uint8Array): Welcome | undefined {
  if (payload.length < WELCOME_HEAD_BYTES || payload.length > WELCOME_HEAD_BYTES + MAX_PROOF_BYTES) return undefined
  const view = viewOf(payload)
  const proof = copyOf(payload.subarray(WELCOME_HEAD_BYTES))
  return { udpPort: view.getUint16(0), packetSize: view.getUint16(2), proof }
}

export function writeJoin(join: Join): Uint8Array {
  return Buffer.concat([join.connectionId, join.proof])
}

export function readJoin(payload: Uint8Array): Join | undefined {
  if (payload.length !== 8 + 32) return undefined
  return { connectionId: copyOf(payload.subarray(0, 8)), proof: copyOf(payload.subarray(8)) }
}

export function writeDataHead(target: Buffer, head: DataHead): void {
  target.writeUInt32BE(head.object, 0)
  target.writeBigUInt64BE(BigInt(head.offset), 4)
}

/** Undefined when the frame is too short or its offset is more than a double counts exactly. */
export function readDataHead(payload: Uint8Array): DataHead | undefined {
  if (payload.length <= DATA_HEAD_BYTES) return undefined
  const view = viewOf(payload)
  const offset = Number(view.getBigUint64(4))
  if (!Number.isSafeInteger(offset + payload.length)) return undefined
  return { object: view.getUint32(0), offset }
}

export function writeCount(value: number): Uint8Array {
  const out = Buffer.alloc(8)
  out.writeBigUInt64BE(BigInt(value))
  return out
}

export function readCount(payload: Uint8Array): number | undefined {
  if (payload.length !== 8) return undefined
  const value = Number(viewOf(payload).getBigUint64(0))
  return Number.isSafeInteger(value) ? value : undefined
}

/** In hundredths, from 0.01 to 655.35. */
export function writeWeight(weight: number): Uint8Array {
  const out = Buffer.alloc(2)
  out.writeUInt16BE(Math.min(0xffff, Math.max(1, Math.round(weight * 100))))
  return out
}

/** Undefined where the frame carries no weight. */
export function readWeight(payload: Uint8Array): number | undefined {
  if (payload.length !== 2) return undefined
  const hundredths = viewOf(payload).getUint16(0)
  return hundredths === 0 ? undefined : hundredths / 100
}

/** Code 4 bytes, then up to 200 bytes of text for people. */
export function writeClose(code: number, reason: string): Uint8Array {
  const text = Buffer.from(reason).subarray(0, 200)
  const out = Buffer.alloc(4 + text.length)
  out.writeUInt32BE(code, 0)
  out.set(text, 4)
  return out
}

export function readClose(payload: Uint8Array): { code: number; reason: string } | undefined {
  if (payload.length < 4 || payload.length > 204) return undefined
  return { code: viewOf(payload).getUint32(0), reason: Buffer.from(payload.subarray(4)).toString('utf8') }
}

/** slice() of a Buffer would share its memory, which is borrowed. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes)
}

function viewOf(payload: Uint8Array): DataView {
  return new DataView(payload.buffer, payload.byteOffset, payload.length)
}
