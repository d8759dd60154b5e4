/** The pages a person reaches without a session. */
export const ENTRY_PATHS = ['/signin', '/forgot-password', '/reset-password', '/join', '/signin/callback'] as const
export type EntryPath = (typeof ENTRY_PATHS)[number]

export interface EntryPageProps {
  /** Leads to another of these pages without loading anew, so that what a page knows stays in memory. */
  readonly onGo: (path: EntryPath) => void
}
