import type { FileOperationName, OperationInput, OperationReply } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
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

export function createFileOperations({ api, session, socket }: FileOperationsDeps): FileOperations {
  return async (operation, input, signal) => {
    const byHttp = () => api.operation(operation, input, signal === undefined ? {} : { signal })
    if (!socket.online.get()) return byHttp()
    const token = session.get()?.token
    try {
      return await socket.call(operation, input, signal)
    } catch (error) {
      // A socket that broke during the call may have carried it out, so only what changes nothing is repeated.
      if (isUnreachable(error) && !socket.online.get() && routes.files[operation].isRead) return byHttp()
      api.noteFailure(error, token)
      throw error
    }
  }
}
