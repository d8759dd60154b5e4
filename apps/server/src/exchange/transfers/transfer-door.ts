import { createHash } from 'node:crypto'
import { MiB } from '@godwit/base'
import { errorSpec } from '@godwit/contract'
import type * as Transfer from '@godwit/transfer'
import type { EngineEvents, ReceiveTask, SendTask } from '@godwit/transfer'
import type { ByteChannel, ConnectionSettings } from '@godwit/transport/node'
import { createPaceBucket, type Pace } from '../../content/account-speeds/index.ts'
import { openTransferTarget } from '../../content/intake/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { pathsOf } from './transfer-folders.ts'
import { TransferRecord } from './transfer-record.ts'
import { type RunParts, startRun, type StopReason, stopReasonOf, type TransferRun } from './transfer-run.ts'
import type { TransferRuns } from './transfer-runs.ts'
import { isOpen } from './transfers.machine.ts'
import { principalOf } from './transfers.principals.ts'
import { lowerRate, transferRateOf } from './transfers.present.ts'
import type { TransferRow } from './transfers.schema.ts'
import { dropParts } from './transfers.service.ts'
import { transfersStore } from './transfers.store.ts'
import { ticketSecret, transferOfTicket } from './transfers.tickets.ts'
import type { TransfersDeps } from './transfers.deps.ts'

/** The receive window that an upload begins with, */
const FIRST_WINDOW = 16 * MiB
/** by how much it may grow, of which a line of 1 Gbit/s and 200 ms that loses 5 % needs nearly all, */
const GROWTH_MAX = 80 * MiB
/** and by how much those of all uploads together, in equal parts. */
const GROWTH_OF_ALL = 256 * MiB
const BITS_PER_BYTE = 8
const POLICIES = { low: 'low', normal: 'fair', high: 'high' } as const

/** The engines are loaded by the first transfer: the start of a server does not wait for them. */
type Engines = typeof Transfer

/** What the transfer port asks of this feature. */
export interface TransferDoor {
  /** The secret of a ticket with this id. */
  secretOf(id: string): Uint8Array
  /** @returns what to do with the connection, or the reason of a refusal for the client: `later CODE` or `never CODE` */
  admit(ticket: Uint8Array, address: string): Promise<Admitted | string>
}

export interface Admitted {
  readonly settings: ConnectionSettings
  /** Takes the connection over at once. */
  begin(channel: ByteChannel): void
}

interface Caller {
  readonly row: TransferRow
  readonly principal: AccountPrincipal
  readonly address: string
  readonly engines: Engines
  readonly pace: Pace
}

interface Work {
  begin(channel: ByteChannel, events: EngineEvents): SendTask | ReceiveTask
  /** Goes on with the rights of now. @throws AppError for what may be done no longer */
  renew(principal: AccountPrincipal): Promise<void>
  release(stopped: StopReason | undefined): Promise<void>
}

export function createTransferDoor(deps: TransfersDeps, runs: TransferRuns): TransferDoor {
  let turns: InstanceType<Engines['TaskTurns']> | undefined
  const windowGrowth = (): number => Math.min(GROWTH_MAX, Math.floor(GROWTH_OF_ALL / Math.max(1, runs.uploads)))

  async function admit(ticket: Uint8Array, address: string): Promise<Admitted> {
    const row = await openRow(deps, ticket)
    const principal = await principalOf(deps, { ...row, address })
    if (principal === undefined) throw new AppError('TICKET_INVALID')
    if (!runs.reserve(row)) throw new AppError('SERVER_BUSY')
    const [engines, { createRateLimit }, { systemMicros }] = await Promise.all([
      import('@godwit/transfer'),
      import('@godwit/transport/core'),
      import('@godwit/transport/node'),
    ])
    const ceiling = createRateLimit(systemMicros(), Infinity)
    turns ??= new engines.TaskTurns()
    const record = new TransferRecord(deps, row)
    const limits = limitsOf(deps, { record, principal }, (bits) => ceiling.setRate(systemMicros(), bits))
    const caller = { row, principal, address, engines, pace: limits.pace }
    const work = await (row.direction === 'upload'
      ? uploadOf(deps, caller, { turns, windowGrowth })
      : downloadOf(deps, caller))
    const { cTransEncryptSwitch } = await deps.clientSettings()
    return {
      settings: { receiveWindow: FIRST_WINDOW, mustEncrypt: cTransEncryptSwitch === 1, limit: ceiling },
      begin: (channel) => runs.add(startOn(deps, { caller, record, limits, work, channel })),
    }
  }

  return {
    secretOf: (id) => ticketSecret(deps.vault, id),
    async admit(ticket, address) {
      try {
        return await admit(ticket, address)
      } catch (thrown) {
        const error = toAppError(thrown)
        if (error.status >= 500) deps.log.warn({ err: error.cause ?? error }, 'a transfer could not begin')
        const { retry } = errorSpec(error.code)
        return `${retry === 'later' || retry === 'now' ? 'later' : 'never'} ${error.code}`
      }
    },
  }
}

interface Connecting {
  readonly caller: Caller
  readonly record: TransferRecord
  readonly limits: ReturnType<typeof limitsOf>
  readonly work: Work
  readonly channel: ByteChannel
}

function startOn(deps: TransfersDeps, { caller, record, limits, work, channel }: Connecting): TransferRun {
  const { row, principal, address } = caller
  const startedAt = Number(row.started_at) || deps.clock.now()
  const change = { address: address.slice(0, 64), error: '', started_at: startedAt }
  const connected = record.happened('connected', change)
  const { limitsChanged, shareChanged } = limits.on(channel)
  limitsChanged(row)
  const begin = (events: EngineEvents): SendTask | ReceiveTask => work.begin(channel, events)
  const release: RunParts['release'] = (stopped) =>
    work.release(stopped).catch((thrown: unknown) => {
      deps.log.warn({ err: thrown, transferId: row.id }, 'closing a transfer failed')
    })
  const renew: RunParts['renew'] = async (now) => {
    const fresh = await principalOf(deps, { ...now, address })
    if (fresh === undefined) return false
    await work.renew(fresh)
    return true
  }
  const sharer = deps.intake.speeds.sharerOf(principal, { spaceId: row.space_id, groupId: row.group_id })
  const run = startRun({ record, sharer, channel, begin, renew, limitsChanged, shareChanged, release })
  // Somebody may have ended the transfer since its ticket was looked at.
  void connected.then(() => {
    const reason = stopReasonOf(record.row.state)
    if (reason !== undefined) run.stop(reason)
  })
  if (row.is_paused === 1) run.setPaused(true)
  return run
}

interface Limited {
  readonly record: TransferRecord
  readonly principal: AccountPrincipal
}

/**
 * What bounds the bytes of one connection: the limits of its transfer, its account, its place and the site, and what it gives way to
 * others; and how much it weighs among them. @param limitSent bits per second
 */
function limitsOf(deps: TransfersDeps, { record, principal }: Limited, limitSent: (bits: number) => void) {
  let givenPace = 0
  let weight = 1
  const bucket = createPaceBucket(deps, () => lowerRate(transferRateOf(record.row), givenPace))
  // What is on its way when a limit is set would all come first if only the storage were slowed down.
  const holdSender = (channel: ByteChannel, row: TransferRow): void => {
    const rate = transferRateOf(row)
    const place = { spaceId: row.space_id, groupId: row.group_id }
    const shared = deps.intake.speeds.limitOf(principal, row.direction, place)
    const bits = Math.min(shared, rate === 0 ? Infinity : rate * BITS_PER_BYTE)
    if (row.direction === 'upload') channel.setReceiveRate(bits)
    else limitSent(bits)
  }
  const weighSender = (channel: ByteChannel, { direction, priority }: TransferRow): void => {
    if (direction === 'upload') channel.setReceiveWeight(weight)
    else channel.setPolicy({ kind: POLICIES[priority], weight })
  }
  return {
    pace: bucket.pace,
    on: (channel: ByteChannel): Pick<RunParts, 'limitsChanged' | 'shareChanged'> => ({
      limitsChanged(row) {
        bucket.settle()
        channel.setPolicy({ kind: POLICIES[row.priority], weight })
        holdSender(channel, row)
      },
      shareChanged(share) {
        holdSender(channel, record.row)
        if (share.weight !== weight) {
          weight = share.weight
          weighSender(channel, record.row)
        }
        if (share.pace === givenPace) return
        bucket.settle()
        givenPace = share.pace
      },
    }),
  }
}

/** @throws AppError TICKET_INVALID for a ticket that opens nothing any more */
async function openRow(deps: TransfersDeps, ticket: Uint8Array): Promise<TransferRow> {
  const id = transferOfTicket(deps.vault, Buffer.from(ticket).toString('utf8'))
  const row = id === undefined ? undefined : await transfersStore.byId(deps.db, id)
  if (row === undefined || !isOpen(row.state) || row.expires_at < deps.clock.now()) throw new AppError('TICKET_INVALID')
  return row
}

/** The client sends, the server receives into the intake. */
async function uploadOf(
  deps: TransfersDeps,
  { row, principal, address, engines, pace }: Caller,
  { turns, windowGrowth }: { readonly turns: InstanceType<Engines['TaskTurns']>; readonly windowGrowth: () => number },
): Promise<Work> {
  const { id, user_id: userId, space_id: spaceId, group_id: groupId, folder } = row
  const target = await openTransferTarget(deps.intake, contextOf({ id, principal, address }), {
    ...{ spaceId, groupId, folder, pace },
  })
  const gone = Promise.withResolvers<void>()
  let task: ReceiveTask | undefined
  return {
    begin(channel, events) {
      const onOpen = async (taskId: string): Promise<void> => {
        await transfersStore.noteTask(deps.db, id, taskId)
        if (task !== undefined) await turns.take(`${userId} ${taskId}`, task, gone.promise)
      }
      const nowMs = (): number => deps.clock.monotonic()
      task = engines.receiveFiles({ channel, target, nowMs, events }, { windowGrowth, onOpen })
      return task
    },
    renew: (now) => target.renew(now),
    async release(stopped) {
      try {
        await task?.yieldTo()
        if (stopped === 'cancelled') await dropParts(deps, { ...row, task: task?.taskId ?? row.task })
      } finally {
        // Every later connection of the task waits for it.
        gone.resolve()
      }
    },
  }
}

/** The server sends what the account chose. */
async function downloadOf(deps: TransfersDeps, { row, principal, engines, pace }: Caller): Promise<Work> {
  const place = { spaceId: row.space_id, groupId: row.group_id }
  const paths = pathsOf(row)
  const opened = await deps.downloads.openSource({ principal, place, paths, pace })
  const { source, report, limitBitsPerSecond } = opened
  // Of a transfer that goes on the download was reported when it began.
  if (row.state === 'waiting') await report()
  return {
    begin: (channel, events) =>
      engines.sendFiles(
        { channel, source, nowMs: () => deps.clock.monotonic(), events },
        { taskId: downloadTask(row), hash: 'blake3', limitBitsPerSecond },
      ),
    renew: (now) => opened.renew(now),
    release: () => source.close(),
  }
}

/** The same selection is the same task, so that a second ticket goes on where the first one ended. */
function downloadTask({ user_id: userId, space_id: spaceId, group_id: groupId, paths }: TransferRow): Uint8Array {
  const name = JSON.stringify([userId, spaceId, groupId, paths])
  return createHash('sha256').update(name).digest().subarray(0, 16)
}

function contextOf({ id, principal, address }: Pick<Caller, 'principal' | 'address'> & { id: string }): UserCtx {
  return {
    ...{ requestId: id, principal, door: 'transfer', locale: 'en-US', address, userAgent: '' },
    ...{ origin: undefined, bearer: undefined, signal: new AbortController().signal },
  }
}
