/** Without idle callbacks (Safari) this is as good as idle. */
const PAUSE_MS = 200
/** A page that is never idle fetches ahead all the same. */
const LATEST_MS = 2_000

/**
 * Runs `work` once the page has been painted and is idle, so that what is fetched ahead never delays what is seen first.
 * @returns cancels it
 */
export function afterPaint(work: () => void): () => void {
  let isCancelled = false
  const run = (): void => {
    if (!isCancelled) work()
  }
  const whenIdle = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: LATEST_MS })
    else setTimeout(run, PAUSE_MS)
  }
  // A frame that is asked for within a frame begins after the paint of the first.
  requestAnimationFrame(() => requestAnimationFrame(whenIdle))
  return () => {
    isCancelled = true
  }
}
