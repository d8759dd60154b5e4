import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, isTemporary } from '@godwit/sdk'
import { TransferError, type TransferResult } from '@godwit/transfer'
import { RefusedError } from '@godwit/transport/node'
import type { KeptTransfers } from '../profiles/profile.ts'
import { reasonOf } from './reason.ts'
import type { Api, Ticket } from '../server-link/api.ts'

/** Waits between attempts, milliseconds; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 6000]
/** Attempts in a row without progress before a command gives up. */
const MAX_IDLE_TRIES = 20
/** Of them for a name that nobody knows, while nothing has moved: rather a typing error than a network that is away. */
const MAX_NAME_TRIES = 4

export interface Attempt {
  /** File bytes that moved; what counts as progress. */
  movedBytes: number
}

export interface Job {
  /** The same command is the same task. */
  readonly task: string
  readonly api: Pick<Api, 'ticketOf' | 'arriveBy' | 'control'>
  readonly kept: KeptTransfers
  readonly signal: AbortSignal
  /** When it is to have arrived, Unix milliseconds; undefined: as its transfer says. */
  readonly deadline?: number | undefined
  /** Attempts in a row without progress before it is given up; undefined: as many as a command makes. */
  readonly maxIdleTries?: number | undefined
  /** @throws when nothing may be transferred by the ticket */
  readonly confirm?: ((ticket: Ticket) => Promise<void>) | undefined
  newTicket(): Promise<Ticket>
  run(ticket: Ticket, attempt: Attempt): Promise<TransferResult>
  /** @param reason a code that pages have words for, where there is one */
  onRetry(reason: string): void
}

/**
 * Runs a transfer until it is done, over lost connections and restarts of either side.
 * @throws TransferError, ApiError, RefusedError for what trying again does not mend
 */
export async function untilDone(job: Job): Promise<TransferResult> {
  const tries = { idleTries: 0, hasMoved: false, maxIdleTries: job.maxIdleTries ?? MAX_IDLE_TRIES }
  for (;;) {
    const attempt: Attempt = { movedBytes: 0 }
    try {
      const result = await job.run(await ticketFor(job), attempt)
      if (result.failures.length === 0) await job.kept.forgetTransfer(job.task)
      return result
    } catch (error) {
      tries.idleTries = attempt.movedBytes > 0 ? 0 : tries.idleTries + 1
      tries.hasMoved ||= attempt.movedBytes > 0
      if (job.signal.aborted) throw new TransferError('CANCELLED', {}, { cause: error })
      if (isRefused(error)) await job.kept.forgetTransfer(job.task)
      const waitMs = waitAfter(error, tries)
      if (waitMs === undefined) throw error
      job.onRetry(reasonOf(error))
      // A stop ends the wait; the next attempt ends at once by the same signal.
      await sleep(waitMs, undefined, { signal: job.signal }).catch(() => undefined)
    }
  }
}

export interface Tries {
  /** Attempts in a row that moved nothing. */
  readonly idleTries: number
  /** Whether the server was there at some time. */
  readonly hasMoved: boolean
  readonly maxIdleTries: number
}

/** @returns milliseconds until the next attempt; undefined when there is none */
export function waitAfter(error: unknown, { idleTries, hasMoved, maxIdleTries }: Tries): number | undefined {
  if (!isWorthRetrying(error)) return undefined
  const most = !hasMoved && codeOf(error) === 'ENOTFOUND' ? Math.min(maxIdleTries, MAX_NAME_TRIES) : maxIdleTries
  return idleTries > most ? undefined : RETRY_MS[Math.min(idleTries, RETRY_MS.length - 1)]
}

/** Of the transfer that an earlier run began, or of a new one. */
async function ticketFor(job: Job): Promise<Ticket> {
  const ticket = await anyTicketFor(job)
  const { transferId, deadline } = ticket.transfer
  if (job.deadline !== undefined && job.deadline !== deadline) await job.api.arriveBy(transferId, job.deadline)
  return ticket
}

async function anyTicketFor({ task, api, kept, newTicket, confirm }: Job): Promise<Ticket> {
  const begun = await kept.transferOf(task)
  if (begun !== undefined) {
    const ticket = await api.ticketOf(begun).catch((error: unknown) => {
      // Ended, or of another account.
      if (error instanceof ApiError && !isTemporary(error) && error.code !== 0) return undefined
      throw error
    })
    if (ticket !== undefined) {
      await confirm?.(ticket)
      return ticket
    }
  }
  const ticket = await newTicket()
  const { transferId } = ticket.transfer
  await kept.keepTransfer(task, transferId)
  try {
    await confirm?.(ticket)
  } catch (error) {
    if (!isWorthRetrying(error)) {
      await kept.forgetTransfer(task)
      // Nothing has been transferred by it: one that stays behind is ended by the server.
      await api.control(transferId, 'cancel').catch(() => undefined)
    }
    throw error
  }
  return ticket
}

/** The server ended the transfer for good: the same command begins a new one. */
function isRefused(error: unknown): boolean {
  if (error instanceof RefusedError) return !error.message.startsWith('later ')
  return error instanceof TransferError && (error.code === 'PEER_REFUSED' || error.code === 'CANCELLED')
}

const NETWORK_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
  // In a network without the server its name is not known either.
  ...['EAI_AGAIN', 'ENOTFOUND'],
  // Of fetch, which gives up before the call does.
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
])

export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof TransferError) return error.code === 'PEER_LOST'
  if (error instanceof RefusedError) return error.message.startsWith('later ')
  // Without an answer the reason tells a network that is away from a certificate that does not count.
  if (error instanceof ApiError && error.cause === undefined) return isTemporary(error)
  if (!(error instanceof Error)) return false
  // A kept connection that stayed behind in another network: the next call makes a new one.
  if (error.name === 'TimeoutError') return true
  // A call and fetch report the network as the cause; of a connection that ends in the handshake node:tls says no code.
  if ('code' in error && typeof error.code === 'string') return NETWORK_CODES.has(error.code)
  return error.cause instanceof Error ? isWorthRetrying(error.cause) : error.message.startsWith('the server ')
}

/** What the network or the system calls it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}
