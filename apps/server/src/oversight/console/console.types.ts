import type { Clock } from '@godwit/base'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'

/** What a changing call of the console comes with: who makes it, and where its change is recorded. */
export interface ConsoleCall {
  readonly ctx: UserCtx
  readonly record: RecordChange
}

export interface ConsoleDeps {
  readonly db: Db
  readonly clock: Clock
  /** Without activity for so long, nobody is online. */
  readonly idleMs: number
}
