import type { IntakeDeps } from './intake.deps.ts'
import type { Span } from './leases.store.ts'
import type { LiveUpload } from './live-uploads.ts'

export interface WriterRequest {
  readonly span: Span
  /** Of the request that carries the bytes. */
  readonly signal: AbortSignal
}

/** What a writer works under. */
export interface Writing {
  /** Goes with everything it records. */
  readonly fence: number
  /** Aborted with the request, and when the bytes are taken over. */
  readonly signal: AbortSignal
}

/**
 * Runs `work` as the only writer of these bytes, here and on other nodes. Whoever comes later wins: a client that was cut
 * off comes back on a new connection, perhaps to another node, while the server still waits on the old one.
 * What is known of the upload is up to date when `work` begins.
 * @throws AppError UPLOAD_BUSY while the upload is being published, and when somebody else takes the bytes over
 */
export function asWriter<T>(
  deps: IntakeDeps,
  live: LiveUpload,
  { span, signal }: WriterRequest,
  work: (writing: Writing) => Promise<T>,
): Promise<T> {
  return live.writeAlone(span, (stop) => {
    const own = AbortSignal.any([signal, stop])
    const subject = { table: 'uploads', id: live.id } as const
    return deps.leases.run({ subject, span, work: 'write', signal: own }, async (lease) => {
      if (deps.leases.isShared) await reload(deps, live, lease.fence)
      return work({ fence: lease.fence, signal: AbortSignal.any([own, lease.signal]) })
    })
  })
}

/** The hash of the unfinished leaf goes on only if nobody wrote in between. */
async function reload(deps: IntakeDeps, live: LiveUpload, fence: number): Promise<void> {
  const { tail } = live
  await deps.live.reload(live)
  live.tail = tail?.fence === fence - 1 ? tail : undefined
}
