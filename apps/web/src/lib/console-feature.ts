import type { Feature } from '@godwit/contract/foundation/editions'
import type { ConsoleRight } from '@godwit/contract/identity/console-rights'
import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { Api } from './http.ts'
import type { PortalKey } from './texts.tsx'

/** Sections of the console's menu, in their order. */
export const CONSOLE_SECTIONS = [
  'overview',
  'people',
  'storage',
  'links',
  'transfers',
  'security',
  'notices',
  'records',
  'system',
] as const
export type ConsoleSection = (typeof CONSOLE_SECTIONS)[number]

/** A page of the administrator's console. */
export interface ConsolePage {
  /** As the router has it; `$name` stands for one part. */
  readonly path: string
  readonly title: PortalKey
  readonly component: FunctionComponent
  /** Who lacks it neither sees the entry nor opens the page. */
  readonly right: ConsoleRight
  /** What the edition must have; without it the page explains the limit. */
  readonly feature?: Feature
  /** Absent: reached from another page. */
  readonly menu?: { readonly section: ConsoleSection; readonly icon: LucideIcon }
}

/** One thing that the search over the console found. */
export interface SearchHit {
  readonly id: string
  readonly name: string
  readonly detail?: string
  /** Where it is shown. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/** Lets the search over the console look into one kind of object. */
export interface ConsoleSearch {
  readonly label: PortalKey
  readonly right: ConsoleRight
  readonly find: (api: Api, text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>
}

/** What a feature adds to the console; the entry builds router, menu and search from these. */
export interface ConsoleFeature {
  readonly pages: readonly ConsolePage[]
  readonly searches?: readonly ConsoleSearch[]
}
