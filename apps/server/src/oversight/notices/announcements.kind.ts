/** The kind of the notices that people get from administrators. */
export const ANNOUNCEMENT_KIND = 'announcement'

/** Sends one notice to everyone it is for. */
export const ANNOUNCE_JOB = 'notices.announce'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    readonly [ANNOUNCE_JOB]: {
      readonly payload: { readonly announcementId: string }
      readonly progress: { readonly reached: number }
    }
  }
}
