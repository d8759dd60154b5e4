import type { KeptAttributes } from '../messages/messages.ts'
import { diskTarget } from '../targets/disk-target.ts'
import type { Target } from '../targets/target.ts'
import { type DiskThread, startDiskThread } from '../workers/disk-thread.ts'

export interface OpenedTarget {
  readonly target: Target
  /** After the target was closed. */
  release(): Promise<void>
}

/** Provides each connection with a target. */
export interface Targets {
  open(): OpenedTarget
  /** Makes ready for the next connection. */
  prepare(): void
  stop(): Promise<void>
}

/** One folder for all connections, each with a disk thread of its own. One thread waits ready, so that no transfer begins with a pause. */
export class FolderTargets implements Targets {
  readonly #root: string
  readonly #keeps: KeptAttributes
  #spare: DiskThread | undefined = startDiskThread('write')

  /** @param root absolute */
  constructor(root: string, keeps: KeptAttributes) {
    this.#root = root
    this.#keeps = keeps
  }

  open(): OpenedTarget {
    const thread = this.#spare ?? startDiskThread('write')
    this.#spare = undefined
    return { target: diskTarget(thread.call, this.#root, this.#keeps), release: () => thread.stop() }
  }

  prepare(): void {
    this.#spare ??= startDiskThread('write')
  }

  async stop(): Promise<void> {
    await this.#spare?.stop()
    this.#spare = undefined
  }
}
