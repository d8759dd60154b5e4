import type { ExitCode } from './exit-codes.ts'

/** Why a command ends, in words that are printed as they are. For what no error code of the interface says. */
export class CommandFailure extends Error {
  readonly exit: ExitCode
  constructor(exit: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CommandFailure'
    this.exit = exit
  }
}
