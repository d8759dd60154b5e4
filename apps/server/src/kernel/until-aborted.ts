/** Waits for work that goes on for others. @throws the signal's reason, as soon as the caller does not wait any more */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const gone = Promise.withResolvers<never>()
  const leave = (): void => gone.reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, gone.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
