/** What a command's exit code says; printed by `godwit --help` and documented in docs/cli.md. */
export const EXIT = {
  ok: 0,
  /** The command ran and found problems, or failed for a reason it printed. */
  problems: 1,
  /** The words of the call are off. */
  usage: 2,
  /** The configuration is invalid. */
  config: 3,
  /** The named account or file does not exist. */
  notFound: 4,
  /** Refused: the input breaks a rule, or the thing exists already. */
  refused: 5,
  /** Database or storage cannot be reached. */
  unavailable: 6,
  /** A server that was told to stop and did not end by itself. */
  stuck: 7,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
