import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB, secureRandom, systemClock } from '@godwit/base'
import { sendFiles, startDiskSource, TransferError, type TransferProgress } from '@godwit/transfer'
import type { Connection } from '@godwit/transport/node'
import type { Ticket } from '../server-link/api.ts'
import { connectToPort, type Link } from '../transfers/connect.ts'

/** What a short transfer showed of a line. */
export interface LineTest {
  readonly mode: 'udp' | 'tcp'
  readonly reason: string
  /** Why that way, in English. */
  readonly text: string
  readonly mbps: number
  /** How fast the test was at most. */
  readonly limitMbps: number
  readonly rttMs: number
  readonly lossRate: number
  readonly packetSize: number
}

const LIMIT_MBPS = 100
const MEASURE_MS = 4_000
const BEGIN_MS = 20_000
const JUDGED_PACKETS = 500
/** More than the limit lets through in the time: the file never arrives as a whole, so it never becomes visible. */
const FILE_BYTES = 256 * MiB

/** Sends a part of an empty file and gives up; nothing of it stays on the server. @throws Error when the port cannot be reached */
export async function measureLine(ticket: Ticket, link: Link): Promise<LineTest> {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-doctor-'))
  try {
    const file = join(folder, 'line-test')
    const handle = await open(file, 'wx', 0o600)
    // Takes no room on the disk.
    await handle.truncate(FILE_BYTES)
    await handle.close()
    const channel = await connectToPort(ticket, { ...link, rate: LIMIT_MBPS * 1e6 })
    const nowMs = (): number => systemClock.monotonic()
    const source = startDiskSource({ roots: [file], filter: { include: [], exclude: [] }, links: false }, nowMs)
    try {
      const moving = Promise.withResolvers<void>()
      const events = { progress: ({ bytesMoved }: TransferProgress) => (bytesMoved > 0 ? moving.resolve() : undefined) }
      const sending = sendFiles(
        { channel, source, nowMs, events },
        { taskId: secureRandom.fill(new Uint8Array(16)), hash: 'blake3', signal: link.signal },
      )
      const { signal } = link
      // How long both sides take to begin says nothing about the line.
      // Nobody waits for the end of this time once bytes move.
      await Promise.race([sending.result, moving.promise, sleep(BEGIN_MS, undefined, { signal, ref: false })])
      const begun = nowMs()
      const before = channel.stats()
      await Promise.race([sending.result, sleep(MEASURE_MS, undefined, { signal })])
      const after = channel.stats()
      const { path, udp } = after
      const sent = sentBytes(after) - sentBytes(before)
      // Those that were larger than the line takes were lost before.
      const packets = after.session.sentPackets - before.session.sentPackets
      const lost = after.session.lostPackets - before.session.lostPackets
      const seconds = (nowMs() - begun) / 1000
      sending.cancel()
      await sending.result.catch((error: unknown) => {
        if (!(error instanceof TransferError)) throw error
      })
      return {
        mode: path.mode === 'udp' ? 'udp' : 'tcp',
        ...{ reason: path.reason, text: path.text, limitMbps: LIMIT_MBPS },
        mbps: (sent * 8) / 1e6 / seconds,
        rttMs: (udp?.minRttUs ?? 0) / 1000,
        // A few packets prove nothing.
        lossRate: packets < JUDGED_PACKETS ? 0 : lost / packets,
        packetSize: udp?.packetSize ?? 0,
      }
    } finally {
      await source.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sentBytes({ path, session, tcpSentBytes }: ReturnType<Connection['stats']>): number {
  return path.mode === 'udp' ? session.sentBytes : tcpSentBytes
}
