/** A segment that was never asked for takes the server as long as it takes to make it. */
const SEGMENT_MS = 120_000
/** Seconds that are made ahead of what is watched. */
const AHEAD_SECONDS = 30
/** A film may be shorter than it says: what is missing so close to the end ends it. */
const END_SECONDS = 6

/**
 * Plays a stream (RFC 8216) until the signal aborts.
 * @param begin seconds from the beginning
 * @returns a promise that is never fulfilled before, and is rejected when the stream cannot be played
 */
export async function playStream(
  media: HTMLMediaElement,
  address: string,
  signal: AbortSignal,
  begin = 0,
): Promise<void> {
  const { default: Hls } = await import('hls.js/light')
  if (signal.aborted) return
  if (!Hls.isSupported()) return playNatively(media, address, signal)
  const done = Promise.withResolvers<undefined>()
  const hls = new Hls({
    // Pages allow no script that was made at run time.
    enableWorker: false,
    startPosition: begin,
    maxBufferLength: AHEAD_SECONDS,
    maxMaxBufferLength: AHEAD_SECONDS,
    fragLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: SEGMENT_MS,
        maxLoadTimeMs: SEGMENT_MS,
        timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
        errorRetry: { maxNumRetry: 3, retryDelayMs: 1000, maxRetryDelayMs: 8000 },
      },
    },
  })
  signal.addEventListener('abort', () => done.resolve(undefined), { once: true })
  let hasRecovered = false
  hls.on(Hls.Events.ERROR, (_event, { fatal, type, error }) => {
    if (!fatal) return
    if (media.currentTime > 0 && media.currentTime > media.duration - END_SECONDS) {
      hls.stopLoad()
    } else if (type === Hls.ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true
      hls.recoverMediaError()
    } else done.reject(error)
  })
  hls.loadSource(address)
  hls.attachMedia(media)
  try {
    await done.promise
  } finally {
    hls.destroy()
  }
}

/** Safari on phones has no buffers for scripts, and plays such streams by itself. */
async function playNatively(media: HTMLMediaElement, address: string, signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<undefined>()
  media.addEventListener('error', () => done.reject(media.error ?? new Error('not playable')), { signal })
  signal.addEventListener('abort', () => done.resolve(undefined), { once: true })
  media.src = address
  try {
    await done.promise
  } finally {
    media.removeAttribute('src')
    media.load()
  }
}
