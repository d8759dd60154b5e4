import { readFileSync } from 'node:fs'
import { connectThrough, NO_DIRECT_WAY, type Connection } from '@godwit/transport/node'
import { CLIENT_TLS, proveCode } from '../codes/code-proof.ts'
import { TransferError } from '../errors/transfer-error.ts'
import { joinRoom, type MeetOptions, type RendezvousError } from '../rendezvous/rendezvous.ts'
import { readRoomCode, type RoomCode } from '../rendezvous/room-code.ts'
import { UsageError } from './arguments.ts'
import type { LinkSettings } from './settings.ts'

/** The environment variable that may hold the token of an account. */
const VARIABLE = 'GODWIT_TOKEN'

/** How the two sides meet at a server; undefined without --via. @throws UsageError */
export function meetingOf(
  values: { readonly via?: string; readonly 'no-relay'?: boolean },
  signal: AbortSignal,
): MeetOptions | undefined {
  const { via } = values
  if (via === undefined) {
    if (values['no-relay'] === true) throw new UsageError('--no-relay has a meaning with --via only')
    return undefined
  }
  const server = URL.canParse(via) ? new URL(via) : undefined
  if (server === undefined || !/^https?:$/.test(server.protocol))
    throw new UsageError('--via takes the address of a Godwit server, such as https://godwit.example')
  const locale = (process.env['LANG'] ?? '').startsWith('zh') ? 'zh-CN' : 'en-US'
  return { server, isRelayAllowed: values['no-relay'] !== true, locale, signal }
}

/** From --token-file or the environment. Never from the command line, which every user of the machine can read. @throws UsageError */
export function readToken(file: string | undefined): string | undefined {
  // Child processes do not need it.
  const fromEnvironment = process.env[VARIABLE]
  delete process.env[VARIABLE]
  if (file === undefined) return fromEnvironment?.trim() || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new UsageError(`--token-file cannot be read: ${file}`)
  }
}

/** @throws UsageError */
export function roomCodeOf(code: string): RoomCode {
  const found = readRoomCode(code)
  if (found === undefined)
    throw new UsageError('the code of gwt recv --via begins with a number, such as 7431-k3fm-9qtw-x2hp')
  return found
}

/** @throws RendezvousError, and as `connectThrough` */
export async function connectVia(
  meeting: MeetOptions,
  { room, secret }: RoomCode,
  link: LinkSettings,
): Promise<Connection> {
  const { signal } = meeting
  const relay = await joinRoom({ ...meeting, room })
  const { udp, encrypted, packetSize, settings } = link
  return connectThrough(relay, {
    tls: CLIENT_TLS,
    proof: proveCode(secret),
    udp,
    encrypted,
    packetSize,
    settings,
    signal,
  })
}

/** A refusal of the server as this program says it. */
export function refusalOfServer(error: RendezvousError): TransferError {
  return new TransferError('SERVER_REFUSED', { reason: error.message, code: error.code }, { cause: error })
}

/** Whether a side has ended the connection because of --no-relay. */
export function lacksWay(error: unknown): boolean {
  return error instanceof TransferError && error.details['reason'] === NO_DIRECT_WAY
}
