import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../transfers/reason.ts'

/** As long as a look at a watched folder waits for the next one. */
const PAUSE_MS = 5_000

export interface KeepGoing {
  readonly failed: (thrown: unknown) => void
  readonly signal: AbortSignal
  readonly pauseMs?: number
}

/** Does what lasts until it is stopped, again after a failure. One that stays the same is reported once. */
export async function keepGoing(
  work: () => Promise<void>,
  { failed, signal, pauseMs = PAUSE_MS }: KeepGoing,
): Promise<void> {
  let reported = ''
  while (!signal.aborted) {
    try {
      await work()
      return
    } catch (thrown) {
      const reason = messageOf(thrown)
      if (reason !== reported) failed(thrown)
      reported = reason
    }
    // A stop ends the pause as well.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
