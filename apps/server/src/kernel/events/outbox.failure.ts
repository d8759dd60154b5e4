export interface Failure {
  readonly error: string
  readonly attempts: number
}

const ERROR_MAX = 500

/** An error as the tables of the outbox keep it. */
export function shortened(error: string): string {
  return error.slice(0, ERROR_MAX)
}
