import { StorageError } from './errors.ts'
import type { ByteSource } from './object-store.ts'

/** The source until the signal stops it, also while it is silent; its own failures as StorageError 'source'. */
export async function* stoppable(
  source: ByteSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  signal?.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  let stop: (reason: unknown) => void = () => {}
  const onAbort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  let ended = false
  try {
    for (;;) {
      const step = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        stop = reject
        iterator.next().then(resolve, (cause: unknown) => reject(new StorageError('source', { cause })))
      })
      signal?.throwIfAborted()
      if (step.done === true) {
        ended = true
        return
      }
      yield step.value
    }
  } catch (error) {
    ended = error instanceof StorageError
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // Not awaited: a silent source answers only when its peer does.
    if (!ended) iterator.return?.().catch(() => {})
  }
}
