import type { Documentation } from './edge/documentation/index.ts'
import type { WebFiles } from './edge/http/index.ts'
import type { LoadedConfig } from './kernel/config/index.ts'

/** What a server is started with besides its configuration. */
export interface Parts {
  /** Built pages; undefined serves the API alone. */
  readonly web: WebFiles | undefined
  readonly documentation: Documentation | undefined
  /** Where each key of the configuration came from; left out: unknown, as for the defaults. */
  readonly sources?: LoadedConfig['sources']
}
