import type { ReadStream } from 'node:tty'

/** What a key does to a running transfer. */
export interface KeyActions {
  togglePause(): void
  /** @param factor 1.25 or 0.8 */
  scaleRate?(factor: number): void
  stop(): void
}

const FASTER = 1.25
const SLOWER = 0.8

/**
 * Listens to keys while a transfer runs on a terminal: space or p, + and -, q or Ctrl-C.
 * @param input nothing happens when it is no terminal
 * @returns ends it and gives the terminal back as it was
 */
export function watchKeys(
  input: Pick<ReadStream, 'isTTY' | 'on' | 'off' | 'pause' | 'resume' | 'setRawMode'>,
  actions: KeyActions,
): () => void {
  if (!input.isTTY) return () => undefined
  const onData = (keys: Buffer | string): void => {
    for (const key of keys.toString()) perform(key, actions)
  }
  input.setRawMode(true)
  input.on('data', onData)
  input.resume()
  return () => {
    input.off('data', onData)
    input.setRawMode(false)
    input.pause()
  }
}

function perform(key: string, actions: KeyActions): void {
  if (key === ' ' || key === 'p') actions.togglePause()
  else if (key === '+' || key === '=') actions.scaleRate?.(FASTER)
  else if (key === '-' || key === '_') actions.scaleRate?.(SLOWER)
  // In raw mode Ctrl-C and Ctrl-D are keys like others.
  else if (key === 'q' || key === '\u0003' || key === '\u0004') actions.stop()
}
