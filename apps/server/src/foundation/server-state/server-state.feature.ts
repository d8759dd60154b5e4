import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { watchServerState, type ServerState, type StopOrder } from './server-state.service.ts'

export interface RunningServerState extends ServerState {
  /** Settles when this process is to end by order of a person. */
  readonly stopOrder: Promise<StopOrder>
}

/** An order from the shell or from another node is seen at the latest after this long. */
const LOOK_MS = 1_000
const TURN = 'server.restart'

/** Whether the server takes anything new, and orders to end it. Its stop is one of the last, after those that move bytes. */
export function serverStateFeature(
  kernel: Pick<Kernel, 'db' | 'bus' | 'locks' | 'log'>,
): FeatureWith<RunningServerState> {
  const { bus, locks, log } = kernel
  const state = watchServerState(kernel)
  const ordered = Promise.withResolvers<StopOrder>()
  const stopped = Promise.withResolvers<void>()
  let isTaken = false

  /** One node after another, so that the others serve meanwhile. */
  async function restartInTurn(): Promise<void> {
    const ran = await locks.tryRun(TURN, () => {
      ordered.resolve('restart')
      return stopped.promise
    })
    if (!ran) isTaken = false
  }

  const look = async (): Promise<void> => {
    const order = await state.refresh()
    if (order === undefined || isTaken) return
    isTaken = true
    if (order === 'shutdown') ordered.resolve(order)
    else restartInTurn().catch((thrown: unknown) => log.warn({ err: thrown }, 'a restart was not taken up'))
  }

  const end = bus.subscribe('server.ordered', () => {
    look().catch((thrown: unknown) => log.warn({ err: thrown }, 'the state of the server was not read'))
  })
  return defineFeature<RunningServerState>({
    name: 'server-state',
    api: { pausedAt: state.pausedAt, requireOpen: state.requireOpen, stopOrder: ordered.promise },
    every: [{ name: 'watch', everyMs: LOOK_MS, work: look }],
    start: async () => void (await state.refresh()),
    stop() {
      end()
      stopped.resolve()
      return Promise.resolve()
    },
  })
}
