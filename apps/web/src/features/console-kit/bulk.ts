import type { LucideIcon } from 'lucide-react'
import type { PortalKey } from '../../lib/texts.tsx'
import type { FormSchema } from '../../ui/form/index.ts'

/** What an action is about: these rows, or all that the filters leave. */
export type Chosen =
  | { readonly ids: readonly string[] }
  /** `except`: ids of rows that were taken out again. */
  | { readonly filter: Readonly<Record<string, string>>; readonly except: readonly string[] }

export interface BulkFailure {
  readonly name: string
  readonly reason: string
}

export interface BulkResult {
  readonly changed: number
  readonly failed: readonly BulkFailure[]
}

/** One thing that can be done with a selection. It says what will happen before, and who was left out after. */
export interface BulkAction {
  readonly name: string
  readonly label: PortalKey
  readonly icon: LucideIcon
  readonly tone?: 'danger'
  readonly title: (count: number) => string
  readonly text: (count: number) => string
  /** What exactly would happen, as a dry run found it; asked for once the question stands. */
  readonly summary?: (chosen: Chosen) => Promise<string>
  /** On the button of the question. */
  readonly verb: string
  readonly done: (count: number) => string
  /** What else must be known for it. */
  readonly ask?: {
    readonly schema: FormSchema<string>
    readonly initial: Readonly<Record<string, string>>
  }
  readonly run: (chosen: Chosen, values: Readonly<Record<string, string>>) => Promise<BulkResult>
}
