import { setTimeout as sleep } from 'node:timers/promises'

/** Works again and again, with a pause in between, until it is stopped. @throws what the work throws */
export async function repeat(work: () => Promise<void>, pauseMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(pauseMs, undefined, { signal }).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown
    })
  }
}
