import type { Door } from '../../kernel/context.ts'
import type { RawExchange } from '../../kernel/endpoint.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { toAppError } from '../../kernel/errors.ts'
import type { Found } from '../access/index.ts'
import { seenAs } from '../files/index.ts'
import type { Booked, Traffic } from '../traffic/index.ts'

interface Exchange extends Pick<RawExchange, 'req' | 'res'> {
  readonly signal: AbortSignal
  readonly door: Door
  readonly address: string
}

interface Counting<Given extends Exchange> {
  readonly principal: AccountPrincipal
  readonly found: readonly Found[]
  readonly exchange: Given
}

/** A download on the books from its first byte to its last one, and ended with its transfer. */
export function countedDownload<Given extends Exchange>(
  traffic: Traffic,
  { principal, found, exchange }: Counting<Given>,
) {
  const cancelled = new AbortController()
  const { req, res, signal } = exchange
  const [first] = found
  const path = first?.location.path ?? '/'
  const isFile = found.length === 1 && first?.entry.kind === 'file'
  const tag = isFile ? seenAs(first.entry) : ''
  const stop = (): void => cancelled.abort(new Error('the transfer was cancelled'))
  const content = { path, tag, stop }
  let booked: Booked = { transfer_id: '', user_id: principal.id }
  return {
    exchange: { ...exchange, signal: AbortSignal.any([signal, cancelled.signal]) },
    begin(): void {
      if (first === undefined) return
      const { door, address } = exchange
      const mover = { principal, door, address, userAgent: req.headers['user-agent'] ?? '' }
      const transferId = traffic.begin(mover, {
        ...{ direction: 'download', ...first.location.place, path, files: found.length },
        ...{ size: isFile ? first.entry.size : null, tag, stop },
      })
      booked = { ...booked, transfer_id: transferId }
    },
    moved: (bytes: number): void => traffic.moved(booked, bytes),
    /** Runs `work` and notes how it ended. */
    async until(work: () => Promise<void>): Promise<void> {
      try {
        await work()
      } catch (thrown) {
        const isGone = signal.aborted || cancelled.signal.aborted || res.destroyed
        if (isGone) traffic.end(booked, { outcome: 'left', ...content })
        else traffic.end(booked, { outcome: 'failed', ...content, code: toAppError(thrown).code })
        throw thrown
      }
      traffic.end(booked, { outcome: res.writableFinished ? 'done' : 'left', ...content })
    },
  }
}
