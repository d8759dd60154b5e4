import type { TreeNode } from '@godwit/base'
import { startWorker } from '../../../lib/workers.ts'
import type { HashReply, HashRequest, PackBody, PackEntry } from './hash-messages.ts'
import type { SealedBody, Sealing } from './seal-body.ts'
import { SourceGone } from './source-gone.ts'
import workerUrl from './hash.worker.ts?worker&url'

export interface HashPool {
  /** Tree nodes over the leaves of a part. @throws SourceGone */
  part(blob: Blob, offset: number): Promise<readonly TreeNode[]>
  /** The hash of the whole file over the nodes of its parts. */
  root(size: number, nodes: readonly TreeNode[]): Promise<string>
  /** The body of a pack, each file that can be read with its hash. */
  pack(entries: readonly PackEntry[]): Promise<PackBody>
  /** A body that the server alone can open. @throws SourceGone */
  seal(blob: Blob, sealing: Sealing): Promise<SealedBody>
}

interface OwnHashPool extends HashPool {
  /** Ends the workers: what was asked stays without an answer. */
  close(): void
}

interface Waiting {
  readonly resolve: (reply: HashReply) => void
  readonly reject: (error: unknown) => void
}

type Unnumbered<Request = HashRequest> = Request extends unknown ? Omit<Request, 'id'> : never

/** @param size workers; the first is started with the first request, and the others one by one after it */
export function createHashPool(size: number): OwnHashPool {
  const waiting = new Map<number, Waiting>()
  const workers: Worker[] = []
  let lastId = 0
  let isClosed = false
  const start = (): Worker => {
    const worker = startWorker(workerUrl)
    worker.onmessage = ({ data }: MessageEvent<HashReply>) => {
      const asked = waiting.get(data.id)
      waiting.delete(data.id)
      if (data.kind === 'failed') asked?.reject(new SourceGone({ cause: data.reason }))
      else asked?.resolve(data)
    }
    worker.onerror = (event) => {
      for (const { reject } of waiting.values()) reject(new Error(`hash worker: ${event.message}`))
      waiting.clear()
    }
    return worker
  }
  /** Each in a task of its own: to start one takes up to 50 ms, which nobody who presses a button then should wait for. */
  const startOthers = (): void => {
    if (isClosed || workers.length === size) return
    workers.push(start())
    setTimeout(startOthers)
  }
  const ask = (request: Unnumbered): Promise<HashReply> => {
    lastId += 1
    const id = lastId
    if (workers.length === 0) startOthers()
    const worker = workers[id % workers.length]
    if (!worker) throw new Error('the hash workers are closed')
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...request, id })
    })
  }
  return {
    async part(blob, offset) {
      const reply = await ask({ kind: 'part', blob, offset })
      return reply.kind === 'part' ? reply.nodes : []
    },
    async root(size, nodes) {
      const reply = await ask({ kind: 'root', size, nodes })
      if (reply.kind !== 'root') throw new Error('the hash worker answered another question')
      return reply.hash
    },
    close() {
      isClosed = true
      for (const worker of workers) worker.terminate()
    },
    async pack(entries) {
      const reply = await ask({ kind: 'pack', entries })
      if (reply.kind !== 'pack') throw new Error('the hash worker answered another question')
      return reply.pack
    },
    async seal(blob, sealing) {
      const reply = await ask({ kind: 'seal', blob, sealing })
      if (reply.kind !== 'seal') throw new Error('the hash worker answered another question')
      return reply.sealed
    },
  }
}
