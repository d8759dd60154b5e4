import koffi from 'koffi'
import type { Endpoint } from '../ports/port.types.ts'
import { nativeMemory, type NativeMemory } from './memory.ts'

/*
 * UDP system calls of 64-bit Linux, with fixed struct layouts (little endian, LP64: x64 and arm64 alike).
 * Everything that could crash the process by a wrong address is in this file.
 */

const POINTER = 'uintptr_t'
const AF_INET = 2
const AF_INET6 = 10
const SOCK_DGRAM = 2
const SOCK_NONBLOCK = 0o4000
const SOCK_CLOEXEC = 0o2000000
const SOL_SOCKET = 1
const SO_SNDBUF = 7
const SO_RCVBUF = 8
const SO_SNDBUFFORCE = 32
const SO_RCVBUFFORCE = 33
/** Also the type of the control message that carries the time. */
const SO_TIMESTAMPNS = 35
const CLOCK_REALTIME = 0
const IPPROTO_IP = 0
const IP_MTU_DISCOVER = 10
const IPPROTO_IPV6 = 41
const IPV6_MTU_DISCOVER = 23
const IPV6_V6ONLY = 26
/** Sets "do not fragment" and ignores what the kernel believes about the path: the session probes for itself. */
const PMTUDISC_PROBE = 3
const SOL_UDP = 17
const UDP_SEGMENT = 103
const UDP_GRO = 104
const MSG_DONTWAIT = 0x40
const POLLIN = 1

export const EIO = 5
export const EAGAIN = 11
export const EINVAL = 22

const MSGHDR_BYTES = 56
const MMSGHDR_BYTES = 64
const ADDRESS_BYTES = 28
const CONTROL_BYTES = 64
/** Length, level and type of a control message. */
const CONTROL_HEAD = 16
/** Nothing waits longer in a socket whose reader lives. */
const MAX_AGE_US = 5_000_000

/** Messages one receive call takes, and bytes of each: a GRO buffer holds up to 64 KiB. */
const RECEIVE_MESSAGES = 64
const MESSAGE_BYTES = 65_536

interface Libc {
  socket(family: number, type: number, protocol: number): number
  bind(socket: number, address: number, length: number): number
  getsockname(socket: number, address: number, length: number): number
  setsockopt(socket: number, level: number, name: number, value: number, length: number): number
  sendmsg(socket: number, message: number, flags: number): number
  recvmmsg(socket: number, messages: number, count: number, flags: number, timeout: number): number
  clock_gettime(clock: number, into: number): number
  ppoll(files: number, count: number, timeout: number, mask: number): number
  close(file: number): number
}

function loadLibc(): Libc {
  const libc = koffi.load('libc.so.6')
  const bind = (name: string, parameters: string[]) => libc.func(name, 'int', parameters)
  return {
    socket: bind('socket', ['int', 'int', 'int']) as Libc['socket'],
    bind: bind('bind', ['int', POINTER, 'int']) as Libc['bind'],
    getsockname: bind('getsockname', ['int', POINTER, POINTER]) as Libc['getsockname'],
    setsockopt: bind('setsockopt', ['int', 'int', 'int', POINTER, 'int']) as Libc['setsockopt'],
    sendmsg: bind('sendmsg', ['int', POINTER, 'int']) as Libc['sendmsg'],
    recvmmsg: bind('recvmmsg', ['int', POINTER, 'int', 'int', POINTER]) as Libc['recvmmsg'],
    clock_gettime: bind('clock_gettime', ['int', POINTER]) as Libc['clock_gettime'],
    ppoll: bind('ppoll', [POINTER, 'int', POINTER, POINTER]) as Libc['ppoll'],
    close: bind('close', ['int']) as Libc['close'],
  }
}

/** A socket address as the kernel writes it. */
export type RawAddress = Uint8Array

export interface ReceivedMessage {
  readonly buffer: Uint8Array
  readonly segmentSize: number
  readonly from: RawAddress
  /** Microseconds that it has waited in the socket; 0 where the kernel does not say. */
  readonly ageUs: number
}

/** One own, non-blocking UDP socket. Not shared between threads. */
export class LinuxUdpSocket {
  readonly #libc: Libc
  readonly #socket: number
  readonly #family: number
  readonly #small: NativeMemory
  readonly #receive: ReceiveArea
  readonly #send: SendArea
  #gso = true

  /** @throws Error naming the call and errno */
  constructor(bindTo: Endpoint) {
    this.#libc = loadLibc()
    this.#small = nativeMemory(128)
    this.#family = bindTo.host.includes(':') ? AF_INET6 : AF_INET
    this.#socket = this.#libc.socket(this.#family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)
    if (this.#socket < 0) throw failed('socket')
    this.#receive = new ReceiveArea()
    this.#send = new SendArea()
    try {
      this.#setUp(bindTo)
    } catch (error) {
      this.close()
      throw error
    }
  }

  #setUp(bindTo: Endpoint): void {
    if (this.#family === AF_INET6) this.#option(IPPROTO_IPV6, IPV6_V6ONLY, 0)
    this.#mustSet(SOL_UDP, UDP_GRO, 1)
    // A process that was not running reads late what came in time; a refusal only costs that knowledge.
    this.#option(SOL_SOCKET, SO_TIMESTAMPNS, 1)
    // Proves that the kernel supports segmentation offload; the size itself travels with each send.
    this.#mustSet(SOL_UDP, UDP_SEGMENT, 1200)
    this.#mustSet(SOL_UDP, UDP_SEGMENT, 0)
    if (this.#family === AF_INET) this.#mustSet(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE)
    else this.#mustSet(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_PROBE)
    const length = writeAddress(this.#small.view, 0, bindTo, this.#family)
    if (this.#libc.bind(this.#socket, this.#small.address, length) !== 0) throw failed('bind')
  }

  #option(level: number, name: number, value: number): boolean {
    this.#small.view.setInt32(64, value, true)
    return this.#libc.setsockopt(this.#socket, level, name, this.#small.address + 64, 4) === 0
  }

  #mustSet(level: number, name: number, value: number): void {
    if (!this.#option(level, name, value)) throw failed(`setsockopt ${level}/${name}`)
  }

  /** Requests buffers beyond the system's limit first (needs CAP_NET_ADMIN), then what the limit allows. */
  enlargeBuffers(byteCount: number): void {
    if (!this.#option(SOL_SOCKET, SO_RCVBUFFORCE, byteCount)) this.#option(SOL_SOCKET, SO_RCVBUF, byteCount)
    if (!this.#option(SOL_SOCKET, SO_SNDBUFFORCE, byteCount)) this.#option(SOL_SOCKET, SO_SNDBUF, byteCount)
  }

  get local(): Endpoint {
    this.#small.view.setInt32(64, ADDRESS_BYTES, true)
    if (this.#libc.getsockname(this.#socket, this.#small.address, this.#small.address + 64) !== 0)
      throw failed('getsockname')
    return readEndpoint(this.#small.bytes)
  }

  rawAddress(peer: Endpoint): RawAddress {
    const raw = new Uint8Array(ADDRESS_BYTES)
    const length = writeAddress(new DataView(raw.buffer), 0, peer, this.#family)
    return raw.slice(0, length)
  }

  /** Sleeps until a datagram is there or the time is over. `watch` false: sleeps the whole time. */
  wait(micros: number, watch: boolean): void {
    const { view, address } = this.#small
    view.setInt32(80, this.#socket, true)
    view.setInt32(84, POLLIN, true)
    const whole = Math.floor(micros / 1e6)
    view.setBigInt64(96, BigInt(whole), true)
    view.setBigInt64(104, BigInt(Math.floor((micros - whole * 1e6) * 1000)), true)
    this.#libc.ppoll(address + 80, watch ? 1 : 0, address + 96, 0)
  }

  /** Hands waiting messages to `take`, at most 64. Their buffers are valid until the next call. @returns how many */
  receive(take: (message: ReceivedMessage) => void): number {
    const area = this.#receive
    area.prepare()
    const count = this.#libc.recvmmsg(this.#socket, area.address, RECEIVE_MESSAGES, MSG_DONTWAIT, 0)
    const nowUs = count > 0 ? this.#wallMicros() : 0
    for (let index = 0; index < count; index++) {
      const message = area.message(index, nowUs)
      if (message !== undefined) take(message)
    }
    return Math.max(0, count)
  }

  /** The clock that the kernel stamps arrivals with. */
  #wallMicros(): number {
    const { view, address } = this.#small
    this.#libc.clock_gettime(CLOCK_REALTIME, address + 112)
    return readMicros(view, 112)
  }

  /**
   * Sends up to 64 datagrams with one call.
   * @param address where the first one lies
   * @returns 0, or errno
   */
  sendSegments(to: RawAddress, batch: { address: number; length: number; segmentSize: number }): number {
    if (batch.length <= batch.segmentSize) return this.#sendOne(to, batch.address, batch.length)
    if (!this.#gso) return this.#sendEach(to, batch)
    const message = this.#send.fill(to, batch.address, batch.length, batch.segmentSize)
    if (this.#libc.sendmsg(this.#socket, message, MSG_DONTWAIT) >= 0) return 0
    const error = koffi.errno()
    // A device that cannot checksum segments answers EIO (also seen by wireguard-go and quinn); EINVAL: no offload here.
    if (error !== EIO && error !== EINVAL) return error
    this.#gso = false
    return this.#sendEach(to, batch)
  }

  #sendEach(to: RawAddress, batch: { address: number; length: number; segmentSize: number }): number {
    for (let at = 0; at < batch.length; at += batch.segmentSize) {
      const error = this.#sendOne(to, batch.address + at, Math.min(batch.segmentSize, batch.length - at))
      // The rest of the batch is dropped like a lossy line would; only a whole batch can be offered again.
      if (error !== 0) return at === 0 ? error : 0
    }
    return 0
  }

  #sendOne(to: RawAddress, address: number, length: number): number {
    const message = this.#send.fill(to, address, length, 0)
    return this.#libc.sendmsg(this.#socket, message, MSG_DONTWAIT) >= 0 ? 0 : koffi.errno()
  }

  close(): void {
    this.#libc.close(this.#socket)
  }
}

/** mmsghdr[64], then iovec[64], addresses[64], control[64], then the buffers. */
class ReceiveArea {
  readonly #heads = nativeMemory(RECEIVE_MESSAGES * (MMSGHDR_BYTES + 16 + ADDRESS_BYTES + 4 + CONTROL_BYTES))
  readonly #data = nativeMemory(RECEIVE_MESSAGES * MESSAGE_BYTES)
  readonly #addressesAt = RECEIVE_MESSAGES * (MMSGHDR_BYTES + 16)
  readonly #controlAt = this.#addressesAt + RECEIVE_MESSAGES * (ADDRESS_BYTES + 4)

  constructor() {
    const { view, address } = this.#heads
    for (let index = 0; index < RECEIVE_MESSAGES; index++) {
      const head = index * MMSGHDR_BYTES
      const vector = RECEIVE_MESSAGES * MMSGHDR_BYTES + index * 16
      setPointer(view, head, address + this.#addressAt(index))
      setPointer(view, head + 16, address + vector)
      setPointer(view, head + 24, 1)
      setPointer(view, head + 32, address + this.#controlAt + index * CONTROL_BYTES)
      setPointer(view, vector, this.#data.address + index * MESSAGE_BYTES)
      setPointer(view, vector + 8, MESSAGE_BYTES)
    }
  }

  get address(): number {
    return this.#heads.address
  }

  #addressAt(index: number): number {
    return this.#addressesAt + index * (ADDRESS_BYTES + 4)
  }

  /** The kernel overwrites the two lengths with what it used. */
  prepare(): void {
    const { view } = this.#heads
    for (let index = 0; index < RECEIVE_MESSAGES; index++) {
      const head = index * MMSGHDR_BYTES
      view.setUint32(head + 8, ADDRESS_BYTES, true)
      view.setUint32(head + 40, CONTROL_BYTES, true)
      view.setUint32(head + 44, 0, true)
    }
  }

  /** `nowUs`: of the clock that stamps arrivals. */
  message(index: number, nowUs: number): ReceivedMessage | undefined {
    const { view, bytes } = this.#heads
    const head = index * MMSGHDR_BYTES
    const length = view.getUint32(head + MSGHDR_BYTES, true)
    if (length === 0 || length > MESSAGE_BYTES) return undefined
    const start = index * MESSAGE_BYTES
    const addressAt = this.#addressAt(index)
    const addressLength = Math.min(view.getUint32(head + 8, true), ADDRESS_BYTES)
    const notes = this.#readControl(index, view.getUint32(head + 40, true))
    const ageUs = notes.stampUs === 0 ? 0 : nowUs - notes.stampUs
    return {
      buffer: this.#data.bytes.subarray(start, start + length),
      segmentSize: notes.segmentSize > 0 ? notes.segmentSize : length,
      from: bytes.subarray(addressAt, addressAt + addressLength),
      // The clock of the machine may be set meanwhile.
      ageUs: ageUs > 0 && ageUs < MAX_AGE_US ? ageUs : 0,
    }
  }

  /** Control messages: the size of merged datagrams, and when the kernel had them; 0 for what is not said. */
  #readControl(index: number, length: number): { segmentSize: number; stampUs: number } {
    const { view } = this.#heads
    const notes = { segmentSize: 0, stampUs: 0 }
    const begin = this.#controlAt + index * CONTROL_BYTES
    const end = begin + Math.min(length, CONTROL_BYTES)
    for (let at = begin; at + CONTROL_HEAD <= end;) {
      const size = view.getUint32(at, true)
      if (size < CONTROL_HEAD || at + size > end) break
      const level = view.getInt32(at + 8, true)
      const type = view.getInt32(at + 12, true)
      if (level === SOL_UDP && type === UDP_GRO) notes.segmentSize = view.getInt32(at + 16, true)
      if (level === SOL_SOCKET && type === SO_TIMESTAMPNS) notes.stampUs = readMicros(view, at + 16)
      at += Math.ceil(size / 8) * 8
    }
    return notes
  }
}

/** One msghdr with its iovec, address and UDP_SEGMENT control message. */
class SendArea {
  readonly #memory = nativeMemory(256)
  readonly #vectorAt = 64
  readonly #addressAt = 80
  readonly #controlAt = 112

  constructor() {
    const { view, address } = this.#memory
    setPointer(view, 0, address + this.#addressAt)
    setPointer(view, 16, address + this.#vectorAt)
    setPointer(view, 24, 1)
    setPointer(view, 32, address + this.#controlAt)
    setPointer(view, this.#controlAt, 18)
    view.setInt32(this.#controlAt + 8, SOL_UDP, true)
    view.setInt32(this.#controlAt + 12, UDP_SEGMENT, true)
  }

  /** @param segmentSize 0 for a single datagram  @returns the address of the msghdr */
  fill(to: RawAddress, data: number, length: number, segmentSize: number): number {
    const { view, bytes, address } = this.#memory
    bytes.set(to, this.#addressAt)
    view.setUint32(8, to.length, true)
    setPointer(view, this.#vectorAt, data)
    setPointer(view, this.#vectorAt + 8, length)
    view.setUint32(40, segmentSize === 0 ? 0 : 24, true)
    view.setUint16(this.#controlAt + 16, segmentSize, true)
    return address
  }
}

/** A timespec as microseconds. */
function readMicros(view: DataView, at: number): number {
  return Number(view.getBigInt64(at, true)) * 1e6 + view.getUint32(at + 8, true) / 1000
}

function setPointer(view: DataView, at: number, value: number): void {
  view.setUint32(at, value >>> 0, true)
  view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true)
}

function writeAddress(view: DataView, at: number, endpoint: Endpoint, family: number): number {
  view.setUint16(at, family, true)
  view.setUint16(at + 2, endpoint.port, false)
  if (family === AF_INET) {
    endpoint.host.split('.').forEach((part, index) => view.setUint8(at + 4 + index, Number(part)))
    view.setUint32(at + 8, 0)
    view.setUint32(at + 12, 0)
    return 16
  }
  view.setUint32(at + 4, 0)
  ipv6Groups(endpoint.host).forEach((group, index) => view.setUint16(at + 8 + index * 2, group, false))
  view.setUint32(at + 24, 0)
  return 28
}

/** The eight 16-bit groups of an IPv6 address; an IPv4 address becomes its mapped form. */
function ipv6Groups(host: string): number[] {
  const text = host.includes(':') ? host : `::ffff:${host}`
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text)
  const plain = dotted ? `${dotted[1]}${hexPair(dotted[2], dotted[3])}:${hexPair(dotted[4], dotted[5])}` : text
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...new Array<string>(zeros).fill('0'), ...after].map((group) => Number.parseInt(group, 16))
}

function hexPair(high: string | undefined, low: string | undefined): string {
  return (Number(high) * 256 + Number(low)).toString(16)
}

/** Reads the kernel's form of an address; a mapped IPv4 address is shown as IPv4. */
export function readEndpoint(raw: Uint8Array): Endpoint {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  const port = view.getUint16(2, false)
  if (view.getUint16(0, true) === AF_INET) return { host: Array.from(raw.subarray(4, 8)).join('.'), port }
  const groups = Array.from({ length: 8 }, (_value, index) => view.getUint16(8 + index * 2, false))
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return { host: Array.from(raw.subarray(20, 24)).join('.'), port }
  }
  return { host: groups.map((group) => group.toString(16)).join(':'), port }
}

function failed(call: string): Error {
  return new Error(`${call} failed with errno ${koffi.errno()}`)
}
