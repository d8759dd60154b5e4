import { errorSpec, type ErrorName, type Failure } from '@godwit/contract'
import { errorText, type Locale } from '@godwit/i18n'
import { databaseFailure } from './db/index.ts'

/** Facts the caller may act on: counts, limits, seconds. Never secrets, never paths of the host. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** What a user or a program can cause. Bugs are plain `Error`s and leave the server as INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorName
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorName, details?: ErrorDetails, options?: ErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.details = details
  }

  get wire(): number {
    return errorSpec(this.code).wire
  }

  /** 400 for business errors; another status means infrastructure. */
  get status(): number {
    return errorSpec(this.code).status ?? 400
  }
}

/** The one funnel for foreign throws: an AppError stays what it is, the rest becomes INTERNAL or the failure of the database it is, with its cause kept. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  return new AppError(databaseFailure(thrown) ?? 'INTERNAL', undefined, { cause: thrown })
}

/** The error envelope, in the language of the caller. */
export function failureBody(caller: { readonly locale: Locale; readonly requestId: string }, error: AppError): Failure {
  return {
    code: error.wire,
    message: errorText(caller.locale, error.code, error.details),
    data: { ...error.details, requestId: caller.requestId },
  }
}
