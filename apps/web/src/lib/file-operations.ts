import type { FileOperationName, OperationInput, OperationReply } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { serverUnavailable } from '@godwit/contract/wire/api-error'
import type { FileSocket } from './file-socket.ts'
import { type Api, isUnreachable } from './http.ts'
import type { SessionStore } from './session.ts'

/** Calls the file operations, by the socket while it is up and by HTTP otherwise. */
export interface FileOperations {
  <Name extends FileOperationName>(
    operation: Name,
    input: OperationInput<Name>,
    signal?: AbortSignal,
  ): Promise<OperationReply<Name>>
}

export interface FileOperationsDeps {
  readonly api: Api
  readonly session: SessionStore
  readonly socket: FileSocket
}

/** An answer by HTTP while the socket is down: a line that lost the socket may be dead for everything. */
const READ_MS = 20_000

export function createFileOperations({ api, session, socket }: FileOperationsDeps): FileOperations {
  return async (operation, input, signal) => {
    // The end of a view is often the last word of a page, which its socket may lose.
    if (operation === 'viewed') return api.operation(operation, input, { keepalive: true })
    const { isRead } = routes.files[operation]
    const byHttp = () => {
      const answer = api.operation(operation, input, signal === undefined ? {} : { signal })
      return isRead ? withinTime(answer, READ_MS) : answer
    }
    if (!socket.online.get()) return byHttp()
    const token = session.get()?.token
    try {
      return await socket.call(operation, input, signal)
    } catch (error) {
      // A socket that broke during the call may have carried it out, so only what changes nothing is repeated.
      if (isUnreachable(error) && !socket.online.get() && isRead) return byHttp()
      api.noteFailure(error, token)
      throw error
    }
  }
}

/** @throws ApiError SERVER_UNAVAILABLE when nothing came in time */
async function withinTime<Result>(answer: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(serverUnavailable()), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
