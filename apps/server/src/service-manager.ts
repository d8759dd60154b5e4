import { endianness } from 'node:os'
import process from 'node:process'
import type { Logger } from 'pino'

/** What systemd hears of a service of `Type=notify`: the protocol of sd_notify(3). */
export interface ServiceManager {
  /** The server takes requests. @param status one line for `systemctl status` */
  ready(status: string): void
  /** The program starts anew in this process; `ready` follows from the new one. */
  reloading(): void
  stopping(): void
}

export type Environment = Readonly<Record<string, string | undefined>>

const SILENT: ServiceManager = { ready: () => {}, reloading: () => {}, stopping: () => {} }

/**
 * The manager that started this process, by its variables; without one nothing is sent.
 * A message that cannot be sent is a warning in the log: the server itself goes on.
 */
export async function connectServiceManager(environment: Environment, log: Logger): Promise<ServiceManager> {
  const { NOTIFY_SOCKET: socket = '' } = environment
  // Other kinds, such as vsock:, are for virtual machines.
  if (process.platform !== 'linux' || !/^[/@]./.test(socket)) return SILENT
  const warn = (reason: unknown) => log.warn({ reason: String(reason) }, 'the service manager could not be notified')
  let system: SystemCalls
  try {
    system = await systemCalls(socket)
  } catch (thrown) {
    warn(thrown)
    return SILENT
  }
  const send = (message: string): void => {
    const error = system.send(message)
    if (error !== 0) warn(`errno ${error}`)
  }
  return {
    ready(status) {
      send(`READY=1\nSTATUS=${status}`)
      const everyMs = watchdogMs(environment)
      if (everyMs !== undefined) setInterval(() => send('WATCHDOG=1'), everyMs).unref()
    },
    reloading: () => send(`RELOADING=1\nMONOTONIC_USEC=${system.monotonicUs()}`),
    stopping: () => send('STOPPING=1'),
  }
}

/** Half of what the manager allows, as sd_watchdog_enabled(3) advises; undefined where it watches no process, or another one. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Environment): number | undefined {
  const limitUs = Number(WATCHDOG_USEC)
  if (!(limitUs > 0) || (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid)) return undefined
  return Math.max(1, Math.floor(limitUs / 2_000))
}

const [AF_UNIX, SOCK_DGRAM, SOCK_CLOEXEC] = [1, 2, 0o2_000_000]
/** `sun_path` holds no more. */
const PATH_BYTES = 108
const [MSG_DONTWAIT, MSG_NOSIGNAL] = [0x40, 0x4000]
const CLOCK_MONOTONIC = 1

interface SystemCalls {
  /** Sends one datagram. @returns 0, or the error number of the system */
  send(message: string): number
  /** Microseconds of the clock that the manager compares with: it runs since the machine was started, which no Clock says. */
  monotonicUs(): bigint
}

/**
 * Node has no Unix sockets for datagrams, and `systemd-notify` would be another process than the one systemd listens to: so by the
 * system calls themselves. They never wait; a manager that stalls must not stall the server.
 * @throws Error where the path is too long, or the system calls cannot be reached
 */
async function systemCalls(socket: string): Promise<SystemCalls> {
  const address = addressOf(socket)
  const { default: koffi } = await import('koffi')
  const system = koffi.load(null)
  const open = system.func('socket', 'int', ['int', 'int', 'int'])
  const sendTo = system.func('sendto', 'long', ['int', 'void *', 'size_t', 'int', 'void *', 'uint32'])
  const close = system.func('close', 'int', ['int'])
  const clockGetTime = system.func('clock_gettime', 'int', ['int', 'void *'])
  return {
    send(message) {
      const bytes = Buffer.from(message)
      const descriptor = open(AF_UNIX, SOCK_DGRAM + SOCK_CLOEXEC, 0) as number
      if (descriptor < 0) return koffi.errno()
      const flags = MSG_DONTWAIT + MSG_NOSIGNAL
      const sent = sendTo(descriptor, bytes, bytes.length, flags, address, address.length) as number
      const error = sent < 0 ? koffi.errno() : 0
      close(descriptor)
      return error
    },
    monotonicUs() {
      // Seconds and nanoseconds, as the processor has numbers.
      const time = new BigInt64Array(2)
      clockGetTime(CLOCK_MONOTONIC, time)
      const [seconds = 0n, nanoseconds = 0n] = time
      return seconds * 1_000_000n + nanoseconds / 1_000n
    },
  }
}

/** A `sockaddr_un`, see unix(7). @throws Error where the path is too long for one */
function addressOf(socket: string): Buffer {
  const name = Buffer.from(socket)
  if (name.length > PATH_BYTES) throw new Error(`a socket path has at most ${PATH_BYTES} bytes`)
  // A name of the abstract namespace begins with a zero byte, written as @.
  if (socket.startsWith('@')) name[0] = 0
  const family = Buffer.alloc(2)
  if (endianness() === 'LE') family.writeUInt16LE(AF_UNIX)
  else family.writeUInt16BE(AF_UNIX)
  return Buffer.concat([family, name])
}
