import { errorByWire, type ErrorName } from '../errors/index.ts'

/** `SERVER_UNAVAILABLE`: no answer, or none in the envelope. `UNKNOWN`: a code this version does not know. */
export type ApiErrorName = ErrorName | 'SERVER_UNAVAILABLE' | 'UNKNOWN'

export interface ApiErrorFacts {
  /** The number on the wire; 0 without an envelope. */
  readonly code: number
  /** HTTP status; 0, the default, when the answer did not come by HTTP or not at all. */
  readonly status?: number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What a caller of the server catches. Its name is the error's name in the catalogue. */
export class ApiError extends Error {
  override readonly name: ApiErrorName
  readonly code: number
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  /** Identifies the call in the server's log. */
  readonly requestId: string | undefined

  constructor({ code, status = 0, message, data = {} }: ApiErrorFacts, options?: ErrorOptions) {
    super(message, options)
    this.name = code === 0 ? 'SERVER_UNAVAILABLE' : (errorByWire(code) ?? 'UNKNOWN')
    this.code = code
    this.status = status
    this.data = data
    const { requestId } = data
    this.requestId = typeof requestId === 'string' ? requestId : undefined
  }
}

/** No usable reply: the network, a proxy, or a server that is starting. */
export function serverUnavailable(facts: Partial<ApiErrorFacts> = {}, options?: ErrorOptions): ApiError {
  return new ApiError({ message: 'no usable answer from the server', ...facts, code: 0 }, options)
}
