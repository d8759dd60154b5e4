import type { SocketAnswer, SocketRequest } from '@godwit/contract'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'

export type Outgoing<Request = SocketRequest> = Request extends unknown ? Omit<Request, 'id'> : never

export interface SocketCalls {
  /** Sends a request and waits for its answer. */
  ask(request: Outgoing): Promise<unknown>
  settle(answer: SocketAnswer): void
  /** The line is down: no answer will come. */
  failAll(): void
}

interface Waiting {
  readonly resolve: (data: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Matches answers to requests by their id. */
export function createSocketCalls(send: (text: string) => void): SocketCalls {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        lastId += 1
        send(JSON.stringify({ ...request, id: lastId }))
        waiting.set(lastId, { resolve, reject })
      }),
    settle(answer) {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('message' in answer) call?.reject(new ApiError(answer))
      else call?.resolve(answer.data)
    },
    failAll() {
      for (const { reject } of waiting.values()) reject(serverUnavailable())
      waiting.clear()
    },
  }
}
