import type { ReceiveTask } from './receive.types.ts'

interface Turn {
  readonly task: ReceiveTask
  /** Settles when this connection and all before it have closed their files. */
  readonly over: Promise<void>
}

/**
 * One journal, one writer. A sender that was cut off may come back before this side has noticed, more than once; of all the
 * connections of a task only the newest continues, once every other one has closed its files.
 */
export class TaskTurns {
  readonly #newest = new Map<string, Turn>()

  /** The newest connection of each task. */
  get tasks(): readonly ReceiveTask[] {
    return Array.from(this.#newest.values(), ({ task }) => task)
  }

  /**
   * Asks the connection that works on a task to stop, and waits until its files are closed.
   * @param gone settles when the files of `task` itself are closed, whether it ever opened any or not
   */
  async take(taskId: string, task: ReceiveTask, gone: Promise<void>): Promise<void> {
    const before = this.#newest.get(taskId)
    const over = Promise.all([before?.over, gone]).then(() => {
      if (this.#newest.get(taskId)?.over === over) this.#newest.delete(taskId)
    })
    // At once: the next connection has to wait for this one as well.
    this.#newest.set(taskId, { task, over })
    await before?.task.yieldTo()
    await before?.over
  }
}
