import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReceiveTask } from './receive.types.ts'
import { TaskTurns } from './task-turns.ts'

/** A connection that closes its files when the test says so, and only after it was asked to stop. */
class Connection implements ReceiveTask {
  readonly result = new Promise<never>(() => {})
  readonly taskId = undefined
  readonly gone = Promise.withResolvers<void>()
  readonly #stopped = Promise.withResolvers<void>()
  isAsked = false
  mayOpen = false

  setPaused(): void {}
  cancel(): void {}
  yieldTo(): Promise<void> {
    this.isAsked = true
    return this.#stopped.promise
  }

  close(): void {
    this.#stopped.resolve()
    this.gone.resolve()
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

describe('connections of one task', () => {
  it('open the files one after another, whatever order they end in', async () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
    await fc.assert(
      fc.asyncProperty(order, async (ends) => {
        const turns = new TaskTurns()
        const connections = ends.map(() => new Connection())
        for (const connection of connections) {
          void turns.take('task', connection, connection.gone.promise).then(() => (connection.mayOpen = true))
          await settle()
        }
        expect(connections.map(({ isAsked }) => isAsked)).toEqual([true, true, true, true, false])
        const ended = new Set<number>()
        for (const end of ends) {
          connections[end]?.close()
          ended.add(end)
          await settle()
          for (const [at, { mayOpen }] of connections.entries()) {
            const areAllGone = connections.slice(0, at).every((_before, index) => ended.has(index))
            expect(mayOpen).toBe(areAllGone)
          }
        }
        expect(turns.tasks).toEqual([])
      }),
    )
  })
  it('do not wait for those of another task', async () => {
    const turns = new TaskTurns()
    const [one, other] = [new Connection(), new Connection()]
    await turns.take('one', one, one.gone.promise)
    await turns.take('other', other, other.gone.promise)
    expect(one.isAsked).toBe(false)
    expect(turns.tasks).toEqual([one, other])
  })
})
