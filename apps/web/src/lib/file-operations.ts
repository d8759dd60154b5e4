import type { FileOperationName, OperationInput, OperationReply } from '@godwit/contract'
import { type Api, envelopeData, Unreachable } from './http.ts'
import type { FileSocket } from './file-socket.ts'
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
    const token = session.get()?.token
    try {
      const answer = socket.online.get() ? bySocket(socket, operation, input, signal) : undefined
      return (await (answer ?? byHttp(api, operation, input, signal))) as never
    } catch (error) {
      // A socket that broke under the call may have carried it out: only what changes nothing is asked again.
      if (error instanceof Unreachable && !socket.online.get() && READS.has(operation)) {
        return (await byHttp(api, operation, input, signal)) as never
      }
      api.noteFailure(error, token)
      throw error
    }
  }
}

const READS: ReadonlySet<FileOperationName> = new Set([
  'list',
  'columns',
  'attributes',
  'exists',
  'job',
  'recycled',
  'download',
])

function bySocket(
  socket: FileSocket,
  operation: FileOperationName,
  input: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  return socket.call(operation, input, signal)
}

async function byHttp(
  api: Api,
  operation: FileOperationName,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const response = await fetch(`/api/files/${operation}`, {
    method: 'POST',
    headers: { ...api.headers(), 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : new Unreachable({ cause: error })
  })
  return envelopeData(await response.text(), response.ok)
}
